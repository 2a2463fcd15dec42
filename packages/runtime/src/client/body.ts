import { abortable } from "./call-scope.ts";
import { forEach } from "./eager.ts";

/** The whole body as text; split UTF-8 sequences are joined first. */
export async function readText(body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  return abortable(collect(body), signal);
}

/** `value` is undefined when the text is not JSON. */
export async function readJson(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly value: unknown }> {
  const text = await readText(body, signal);
  try {
    return { text, value: JSON.parse(text) as unknown };
  } catch {
    return { text, value: undefined };
  }
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  await forEach(body, (part) => void parts.push(part));
  const [first] = parts;
  return first === undefined
    ? ""
    : (parts.length === 1
        ? Buffer.from(first.buffer, first.byteOffset, first.byteLength)
        : Buffer.concat(parts)
      ).toString("utf8");
}

/** Seconds or an HTTP date; undefined when the header is missing or unreadable. */
export function retryAfterHeaderMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const delayMs = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs;
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
}
