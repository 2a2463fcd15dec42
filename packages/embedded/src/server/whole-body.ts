/** The body of an answer that is there as a whole. */
export class WholeBody implements AsyncIterable<Uint8Array> {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    const chunks = [Buffer.from(this.text)].values();
    return { next: async () => chunks.next() };
  }
}

/** Text where it is at hand: Node sends it together with the headers, in one write. */
export async function wholeOf(body: AsyncIterable<Uint8Array>): Promise<string | Buffer> {
  if (body instanceof WholeBody) return body.text;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
