// Role-based access control, read from the stored roles and bindings.
import { objectsAt, stringAt, stringsAt } from "../schema/fields.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Store } from "../storage/store.ts";
import type { Attributes, Authorizer, Verdict } from "./authorization.ts";
import type { User } from "./user.ts";

const GROUP = "rbac.authorization.k8s.io";

export class RoleBasedAccess implements Authorizer {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  authorize(user: User, attributes: Attributes): Verdict {
    if (user.groups.includes("system:masters")) return { isAllowed: true, reason: "" };
    for (const { rule, reason } of this.rulesFor(user, "path" in attributes ? "" : attributes.namespace))
      if (allows(rule, attributes)) return { isAllowed: true, reason };
    return { isAllowed: false, reason: "" };
  }

  /** Every rule that holds for the user in the namespace, cluster-wide ones first. */
  *rulesFor(user: User, namespace: string): Generator<{ rule: JsonObject; reason: string }> {
    for (const { object } of this.#store.collection(`${GROUP}/clusterrolebindings`).list())
      yield* this.#rulesOf(object, user, "ClusterRoleBinding");
    if (namespace === "") return;
    for (const { object } of this.#store.collection(`${GROUP}/rolebindings`).list(`${namespace}/`))
      yield* this.#rulesOf(object, user, "RoleBinding");
  }

  *#rulesOf(binding: JsonObject, user: User, kind: string): Generator<{ rule: JsonObject; reason: string }> {
    const namespace = stringAt(binding, "metadata", "namespace");
    const subject = objectsAt(binding, "subjects").find((candidate) => isSubject(candidate, user, namespace));
    if (!subject) return;
    const [roleKind, roleName] = [stringAt(binding, "roleRef", "kind"), stringAt(binding, "roleRef", "name")];
    const role = this.#role(roleKind, roleName, namespace);
    const place = namespace === "" ? "" : `/${namespace}`;
    const name = `${stringAt(binding, "metadata", "name")}${place}`;
    const reason = `RBAC: allowed by ${kind} ${JSON.stringify(name)} of ${roleKind} ${JSON.stringify(roleName)} to ${stringAt(subject, "kind")} ${JSON.stringify(subjectName(subject))}`;
    for (const rule of objectsAt(role, "rules")) yield { rule, reason };
  }

  #role(kind: string, name: string, namespace: string): JsonObject | undefined {
    return kind === "ClusterRole"
      ? this.#store.collection(`${GROUP}/clusterroles`).get(name)?.object
      : this.#store.collection(`${GROUP}/roles`).get(`${namespace}/${name}`)?.object;
  }
}

function subjectName(subject: JsonObject): string {
  const name = stringAt(subject, "name");
  return subject["kind"] === "ServiceAccount" ? `${name}/${stringAt(subject, "namespace")}` : name;
}

function isSubject(subject: JsonObject, user: User, namespace: string): boolean {
  const name = stringAt(subject, "name");
  switch (stringAt(subject, "kind")) {
    case "User":
      return user.name === name;
    case "Group":
      return user.groups.includes(name);
    default:
      return user.name === `system:serviceaccount:${stringAt(subject, "namespace") || namespace}:${name}`;
  }
}

function allows(rule: JsonObject, attributes: Attributes): boolean {
  if (!includes(stringsAt(rule, "verbs"), attributes.verb)) return false;
  if ("path" in attributes)
    return stringsAt(rule, "nonResourceURLs").some((pattern) => matchesPath(pattern, attributes.path));
  const { group, resource, subresource, name } = attributes;
  const names = stringsAt(rule, "resourceNames");
  return (
    includes(stringsAt(rule, "apiGroups"), group) &&
    coversResource(stringsAt(rule, "resources"), resource, subresource) &&
    (names.length === 0 || names.includes(name))
  );
}

function includes(list: readonly string[], value: string): boolean {
  return list.includes("*") || list.includes(value);
}

function coversResource(resources: readonly string[], resource: string, subresource: string): boolean {
  if (resources.includes("*")) return true;
  if (subresource === "") return resources.includes(resource);
  return resources.includes(`${resource}/${subresource}`) || resources.includes(`*/${subresource}`);
}

function matchesPath(pattern: string, path: string): boolean {
  return pattern === "*" || pattern === path || (pattern.endsWith("*") && path.startsWith(pattern.slice(0, -1)));
}
