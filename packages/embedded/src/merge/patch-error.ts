/** A patch that the server refuses: the code and text of its Status. */
export class PatchError extends Error {
  override readonly name = "PatchError";
  readonly code: 400 | 413 | 422 | 500;

  constructor(code: PatchError["code"], message: string) {
    super(message);
    this.code = code;
  }
}
