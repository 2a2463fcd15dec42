/** What a server writes before the fields of an object's metadata. An event that begins otherwise stays as it is. */
const BEFORE_METADATA = /^\{"type":"[A-Z]+","object":\{(?:"(?:kind|apiVersion)":"[^"\\]*",){0,2}"metadata":\{/;
const FIELD = '"managedFields":';
const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The JSON of an event without its object's metadata.managedFields: of many an object most of what is to be parsed. */
export function withoutManagedFields(event: string): string {
  let at = BEFORE_METADATA.exec(event)?.[0].length ?? event.length;
  while (event.charCodeAt(at) === QUOTE) {
    const end = endOfValue(event, endOfText(event, at) + 2);
    if (event.startsWith(FIELD, at)) return cut(event, at, end);
    at = end + 1;
  }
  return event;
}

/** With the comma behind it; if it was the last, with the one before it. */
function cut(event: string, start: number, end: number): string {
  if (event.charCodeAt(end) === COMMA) return event.slice(0, start) + event.slice(end + 1);
  return event.slice(0, event.charCodeAt(start - 1) === COMMA ? start - 1 : start) + event.slice(end);
}

/** Where the comma or the bracket behind the value is. */
function endOfValue(event: string, start: number): number {
  let depth = 0;
  for (let at = start; at < event.length; at++) {
    const char = event.charCodeAt(at);
    if (char === QUOTE) at = endOfText(event, at);
    else if (char === OPEN_MAP || char === OPEN_LIST) depth++;
    else if (depth === 0 && (char === COMMA || char === CLOSE_MAP)) return at;
    else if (char === CLOSE_MAP || char === CLOSE_LIST) depth--;
  }
  return event.length;
}

/** Where the closing quote is. */
function endOfText(event: string, opening: number): number {
  let end = event.indexOf('"', opening + 1);
  while (end > 0 && isEscaped(event, end)) end = event.indexOf('"', end + 1);
  return end < 0 ? event.length : end;
}

function isEscaped(event: string, quote: number): boolean {
  let before = quote - 1;
  while (event.charCodeAt(before) === BACKSLASH) before--;
  return (quote - before) % 2 === 0;
}
