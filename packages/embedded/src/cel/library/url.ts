import type { Environment } from "@marcbachmann/cel-js";

class ParsedUrl {
  readonly url: URL;
  readonly isAbsolute: boolean;

  constructor(url: URL, isAbsolute: boolean) {
    this.url = url;
    this.isAbsolute = isAbsolute;
  }
}

/** Absolute URLs and absolute paths are URLs to the server. */
function parseUrl(text: string): ParsedUrl | undefined {
  if (text.startsWith("/")) {
    return URL.canParse(text, "http://host") ? new ParsedUrl(new URL(text, "http://host"), false) : undefined;
  }
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(text) || !URL.canParse(text)) return undefined;
  return new ParsedUrl(new URL(text), true);
}

export function registerUrl(environment: Environment): void {
  const of = (read: (url: URL) => string) => (parsed: ParsedUrl) => (parsed.isAbsolute ? read(parsed.url) : "");
  environment
    .registerType("kubernetes.URL", ParsedUrl)
    .registerFunction("isURL(string): bool", (text: string) => parseUrl(text) !== undefined)
    .registerFunction("url(string): kubernetes.URL", (text: string) => {
      const parsed = parseUrl(text);
      if (parsed === undefined)
        throw new Error(`URL parse error during conversion from string: parse "${text}": invalid URI for request`);
      return parsed;
    })
    .registerFunction(
      "kubernetes.URL.getScheme(): string",
      of((url) => url.protocol.slice(0, -1)),
    )
    .registerFunction(
      "kubernetes.URL.getHost(): string",
      of((url) => url.host),
    )
    .registerFunction(
      "kubernetes.URL.getHostname(): string",
      of((url) => url.hostname.replace(/^\[|\]$/g, "")),
    )
    .registerFunction(
      "kubernetes.URL.getPort(): string",
      of((url) => url.port),
    )
    .registerFunction("kubernetes.URL.getEscapedPath(): string", ({ url }: ParsedUrl) => url.pathname)
    .registerFunction("kubernetes.URL.getQuery(): map<string, list<string>>", ({ url }: ParsedUrl) => {
      const query = new Map<string, string[]>();
      for (const [key, value] of url.searchParams) query.set(key, [...(query.get(key) ?? []), value]);
      return query;
    });
}
