/** The interpreter's message without the source that it draws below. */
export function summaryOf(error: unknown): string {
  if (typeof error === "object" && error !== null && "summary" in error) return String(error.summary);
  return error instanceof Error ? error.message : String(error);
}
