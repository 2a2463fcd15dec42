import { PatchError } from "./patch-error.ts";

/** RFC 6902 as the server does it. Throws PatchError. Shares what the patch leaves alone with the document. */
export function jsonPatch(_document: unknown, _operations: unknown): unknown {
  throw new PatchError(500, "not implemented");
}
