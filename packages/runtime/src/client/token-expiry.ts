/** Says when a JSON web token has expired; nothing for any other credential. Only the time leaves the token. */
export function expiryHint(authorization: string | undefined, nowMs: number): string {
  const expiresAtMs = expiryOf(authorization);
  if (expiresAtMs === undefined || expiresAtMs > nowMs) return "";
  return `: the token expired at ${new Date(expiresAtMs).toISOString()}`;
}

function expiryOf(authorization: string | undefined): number | undefined {
  const [, claims] = authorization?.split(".") ?? [];
  if (claims === undefined) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(claims, "base64url").toString("utf8")) as { exp?: unknown };
    return typeof exp === "number" ? exp * 1_000 : undefined;
  } catch {
    return undefined;
  }
}
