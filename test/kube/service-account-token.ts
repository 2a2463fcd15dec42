import { createPrivateKey, sign } from "node:crypto";

export const SERVICE_ACCOUNT_ISSUER = "https://kubernetes.default.svc";

export interface TokenClaims {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly expiresInSeconds: number;
}

/** A service account's token signed here, since the API server itself grants none that lives less than ten minutes. */
export function signToken(signingKeyPem: string, { namespace, name, uid, expiresInSeconds }: TokenClaims): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: SERVICE_ACCOUNT_ISSUER,
    aud: [SERVICE_ACCOUNT_ISSUER],
    sub: `system:serviceaccount:${namespace}:${name}`,
    iat: now,
    nbf: now,
    exp: now + expiresInSeconds,
    "kubernetes.io": { namespace, serviceaccount: { name, uid } },
  };
  const content = `${encode({ alg: "ES256", typ: "JWT" })}.${encode(claims)}`;
  const key = createPrivateKey(signingKeyPem);
  return `${content}.${sign("sha256", Buffer.from(content), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
