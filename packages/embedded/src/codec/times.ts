// RFC 3339 as Go's metav1.Time and MicroTime read and write it: in UTC, to the second or to the microsecond.
const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:[.,](\d+))?(?:Z|[+-]\d{2}:\d{2})$/;

export function canonicalTime(text: string): string | undefined {
  const atMs = parseTime(text);
  return atMs === undefined ? undefined : formatTime(atMs);
}

export function canonicalMicroTime(text: string): string | undefined {
  const atMs = parseTime(text);
  const fraction = RFC3339.exec(text)?.[1];
  // Six digits, no fewer and no more.
  if (atMs === undefined || fraction?.length !== 6) return undefined;
  return `${new Date(atMs).toISOString().slice(0, 19)}.${fraction}Z`;
}

let lastFormatted = { second: Number.NaN, text: "" };

/** Every write asks for the time several times, mostly within the same second. */
export function formatTime(atMs: number): string {
  const second = Math.floor(atMs / 1_000);
  if (second !== lastFormatted.second)
    lastFormatted = { second, text: `${new Date(atMs).toISOString().slice(0, 19)}Z` };
  return lastFormatted.text;
}

function parseTime(text: string): number | undefined {
  if (!RFC3339.test(text)) return undefined;
  const atMs = Date.parse(text.replace(",", "."));
  return Number.isNaN(atMs) ? undefined : atMs;
}
