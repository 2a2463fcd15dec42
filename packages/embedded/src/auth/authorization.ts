import { ApiError, forbidden } from "../errors/api-error.ts";
import type { User } from "./user.ts";

/** What somebody wants to do. */
export type Attributes =
  | {
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource: string;
      readonly namespace: string;
      readonly name: string;
    }
  | { readonly verb: string; readonly path: string };

export interface Verdict {
  readonly isAllowed: boolean;
  readonly reason: string;
}

export interface Authorizer {
  authorize(user: User, attributes: Attributes): Verdict;
}

/** Whoever has proved who they are may do everything. */
export const allowAuthenticated: Authorizer = {
  authorize: ({ groups }) => ({ isAllowed: groups.includes("system:authenticated"), reason: "" }),
};

const OPEN_PATHS = /^\/(healthz|livez|readyz|version)(\/|$)/;

export function requireAllowed(authorizer: Authorizer, user: User, attributes: Attributes): void {
  if ("path" in attributes && OPEN_PATHS.test(attributes.path)) return;
  const { isAllowed, reason } = authorizer.authorize(user, attributes);
  if (!isAllowed) throw refusal(user, attributes, reason);
}

function refusal(user: User, attributes: Attributes, reason: string): ApiError {
  const who = `User ${JSON.stringify(user.name)} cannot ${attributes.verb}`;
  const because = reason === "" ? "" : `: ${reason}`;
  if ("path" in attributes) {
    const message = `forbidden: ${who} path ${JSON.stringify(attributes.path)}${because}`;
    return new ApiError({ code: 403, reason: "Forbidden", message, details: {} });
  }
  const { group, resource, subresource, namespace, name } = attributes;
  const where = namespace === "" ? " at the cluster scope" : ` in the namespace ${JSON.stringify(namespace)}`;
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  const of = { group, plural: resource };
  return forbidden(
    of,
    name,
    `${who} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)}${where}${because}`,
  );
}
