/** The HTTP status that an error of the client carries. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof Error && "status" in error && typeof error.status === "number" ? error.status : undefined;
}
