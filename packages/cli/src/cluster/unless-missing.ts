import { NotFound } from "@chaski/runtime/connect";

/** Undefined where the object, or its whole kind, is not there. */
export async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
