// Questions about who may do what and who somebody is: answered, never stored.
import { objectAt, stringAt, stringsAt } from "../schema/fields.ts";
import { invalidValue } from "../builtin/causes.ts";
import { type ApiError, invalid } from "../errors/api-error.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Api } from "../request/api.ts";
import type { ResourceRequest } from "../request/request.ts";
import type { Attributes } from "../auth/authorization.ts";
import { RoleBasedAccess } from "../auth/rbac.ts";
import type { User } from "../auth/user.ts";

type Review = (api: Api, request: ResourceRequest, object: JsonObject) => JsonObject;

const accessReview =
  (userOf: (request: ResourceRequest, spec: JsonObject) => User): Review =>
  (api, request, object) => {
    const spec = objectAt(object, "spec") ?? {};
    const isOne =
      (objectAt(spec, "resourceAttributes") === undefined) !== (objectAt(spec, "nonResourceAttributes") === undefined);
    if (!isOne) throw ambiguous();
    const { isAllowed, reason } = api.authorizer.authorize(userOf(request, spec), attributesOf(spec, request));
    return { allowed: isAllowed, ...(reason && { reason }) };
  };

function ambiguous(): ApiError {
  const problem = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  return invalid({ group: "authorization.k8s.io", kind: "" }, "", [
    invalidValue("spec.resourceAttributes", null, problem),
  ]);
}

function attributesOf(spec: JsonObject, request: ResourceRequest): Attributes {
  const path = objectAt(spec, "nonResourceAttributes");
  if (path) return { verb: stringAt(path, "verb"), path: stringAt(path, "path") };
  const resource = objectAt(spec, "resourceAttributes");
  return {
    verb: stringAt(resource, "verb"),
    group: stringAt(resource, "group"),
    resource: stringAt(resource, "resource"),
    subresource: stringAt(resource, "subresource"),
    namespace: stringAt(resource, "namespace") || (request.namespace ?? ""),
    name: stringAt(resource, "name"),
  };
}

const namedUser = (_request: ResourceRequest, spec: JsonObject): User => ({
  name: stringAt(spec, "user"),
  groups: stringsAt(spec, "groups"),
});

const rulesReview: Review = (api, request, object) => {
  const namespace = stringAt(object, "spec", "namespace");
  const rules =
    api.authorizer instanceof RoleBasedAccess && !request.user.groups.includes("system:masters")
      ? [...api.authorizer.rulesFor(request.user, namespace)].map(({ rule }) => rule)
      : [
          { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
          { verbs: ["*"], nonResourceURLs: ["*"] },
        ];
  return {
    resourceRules: rules.filter((rule) => stringsAt(rule, "nonResourceURLs").length === 0),
    nonResourceRules: rules.filter((rule) => stringsAt(rule, "nonResourceURLs").length > 0),
    incomplete: false,
  };
};

function infoOf({ name, uid, groups, extra }: User): JsonObject {
  return { username: name, ...(uid && { uid }), groups, ...(extra && { extra }) };
}

const tokenReview: Review = (api, _request, object) => {
  const user = api.authentication.byToken(stringAt(object, "spec", "token"));
  if (!user) return { user: {}, error: "[invalid bearer token, token lookup failed]" };
  return { authenticated: true, user: infoOf(user), audiences: ["https://kubernetes.default.svc"] };
};

const REVIEWS: Readonly<Record<string, Review>> = {
  LocalSubjectAccessReview: accessReview(namedUser),
  SelfSubjectAccessReview: accessReview(({ user }) => user),
  SelfSubjectReview: (_api, { user }) => ({ userInfo: infoOf(user) }),
  SelfSubjectRulesReview: rulesReview,
  SubjectAccessReview: accessReview(namedUser),
  TokenReview: tokenReview,
};

/** Undefined: objects of this kind are stored. */
export function reviewOf(kind: string): Review | undefined {
  return REVIEWS[kind];
}
