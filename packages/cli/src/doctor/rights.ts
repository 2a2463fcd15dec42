// Whether the operator may do all that its manifests ask for.
import { ServiceAccount } from "@chaski/kube";
import { INSTALL_DEFAULTS, rbacManifests } from "@chaski/operator";
import { type Client, Forbidden } from "@chaski/runtime";
import { ACCOUNT } from "../cluster/operator-home.ts";
import { unlessMissing } from "../cluster/unless-missing.ts";
import { APPLY } from "./definitions.ts";
import { failed, type Finding, ok, warning } from "./finding.ts";

interface Access {
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly verb: string;
  readonly namespace?: string;
  readonly name?: string;
}

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs?: readonly string[];
}

/** Of the operator's account where it is installed and we may ask; else of whoever asks. */
export async function rightsFinding(client: Client, home: string): Promise<Finding> {
  const account = await unlessMissing(client.of(ServiceAccount).get({ namespace: home, name: ACCOUNT }));
  const wanted = accesses(home);
  const own = (): Promise<readonly Access[]> => refused(wanted, (access) => isAllowedToMe(client, access));
  if (!account) {
    const denied = await own();
    const yours = denied.length === 0 ? "have all" : `lack ${denied.length}`;
    const message = `the operator's account ${home}/${ACCOUNT} is not installed; you yourself ${yours} of its ${wanted.length} rights`;
    return warning("rights", message, `install it: ${APPLY}; an operator outside of the cluster needs its rights too`);
  }
  const denied = await refused(wanted, (access) => isAllowedTo(client, home, access)).catch((error: unknown) => {
    if (error instanceof Forbidden) return undefined;
    throw error;
  });
  if (denied === undefined)
    return warning("rights", "you may not ask what the operator's account may do", "run this as an administrator");
  if (denied.length === 0) return ok("rights", `the operator's account has all of its ${wanted.length} rights`);
  const some = denied
    .slice(0, 3)
    .map(({ verb, resource, subresource }) => `${verb} ${resource}${subresource ? `/${subresource}` : ""}`);
  return failed(
    "rights",
    `the operator's account lacks ${denied.length} rights: ${some.join(", ")}${denied.length > 3 ? " …" : ""}`,
    `apply its roles again: ${APPLY}`,
  );
}

function accesses(namespace: string): readonly Access[] {
  return rbacManifests({ ...INSTALL_DEFAULTS, namespace }).flatMap((manifest) => {
    const { kind, rules } = manifest as { readonly kind?: string; readonly rules?: readonly Rule[] };
    const scope = kind === "Role" ? { namespace } : {};
    return (rules ?? []).flatMap((rule) => accessesOf(rule).map((access) => ({ ...access, ...scope })));
  });
}

function accessesOf({ apiGroups = [], resources = [], resourceNames, verbs = [] }: Rule): readonly Access[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((path) =>
      verbs.map((verb) => {
        const [resource = "", subresource] = path.split("/");
        const [name] = resourceNames ?? [];
        return { group, resource, verb, ...(subresource ? { subresource } : {}), ...(name ? { name } : {}) };
      }),
    ),
  );
}

async function refused(
  wanted: readonly Access[],
  isAllowed: (access: Access) => Promise<boolean>,
): Promise<readonly Access[]> {
  const answers = await Promise.all(wanted.map(isAllowed));
  return wanted.filter((_, index) => answers[index] !== true);
}

function isAllowedTo(client: Client, home: string, resourceAttributes: Access): Promise<boolean> {
  const user = `system:serviceaccount:${home}:${ACCOUNT}`;
  const groups = ["system:serviceaccounts", `system:serviceaccounts:${home}`, "system:authenticated"];
  return review(client, "SubjectAccessReview", { user, groups, resourceAttributes });
}

function isAllowedToMe(client: Client, resourceAttributes: Access): Promise<boolean> {
  return review(client, "SelfSubjectAccessReview", { resourceAttributes });
}

/** A review is a question and no object: the answer has no name. */
async function review(client: Client, kind: string, spec: Readonly<Record<string, unknown>>): Promise<boolean> {
  const path = `/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s`;
  const body = JSON.stringify({ apiVersion: "authorization.k8s.io/v1", kind, spec });
  const answer: { readonly status?: { readonly allowed?: boolean } } = JSON.parse(
    await client.raw({ method: "POST", path, body }),
  );
  return answer.status?.allowed === true;
}
