/** What reading text or an untyped value gives in this package: the value, or what is wrong with the input. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

export function good<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function bad(problem: string): Result<never> {
  return { ok: false, problem };
}
