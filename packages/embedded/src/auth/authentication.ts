// Who sends a request: by bearer token or by client certificate. Nobody else gets further than the health checks.
import { unauthorized } from "../errors/api-error.ts";
import type { User } from "./user.ts";

const ANONYMOUS: User = { name: "system:anonymous", groups: ["system:unauthenticated"] };
const AUTHENTICATED = "system:authenticated";

/** What a client certificate says, checked against our own authority. */
export interface CertificateSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

export class Authentication {
  readonly #users = new Map<string, User>();

  addToken(token: string, user: User): void {
    this.#users.set(token, authenticated(user));
  }

  removeToken(token: string): void {
    this.#users.delete(token);
  }

  /** Undefined: no such token. */
  byToken(token: string): User | undefined {
    return this.#users.get(token);
  }

  userOf(authorization: string | undefined, certificate: CertificateSubject | undefined): User {
    const token = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
    if (token !== undefined) {
      const user = this.byToken(token);
      if (!user) throw unauthorized();
      return user;
    }
    if (authorization !== undefined) throw unauthorized();
    if (!certificate) return ANONYMOUS;
    return authenticated({ name: certificate.commonName, groups: certificate.organizations });
  }
}

function authenticated(user: User): User {
  return user.groups.includes(AUTHENTICATED) ? user : { ...user, groups: [...user.groups, AUTHENTICATED] };
}
