// In an order that is safe to stop at anywhere: first nobody is in the way of a write, then nobody acts, then nothing is
// held back by a finalizer or tied to an object that will go.
import { Canary, canaryResource, releaseResources } from "@chaski/api";
import {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  ControllerRevision,
  CustomResourceDefinition,
  Deployment,
  defined,
  describeRef,
  type Kind,
  type KubeObject,
  MutatingWebhookConfiguration,
  NetworkPolicy,
  Pod,
  PodDisruptionBudget,
  type Ref,
  Role,
  RoleBinding,
  refTo,
  resourceName,
  Service,
  ServiceAccount,
  ValidatingWebhookConfiguration,
} from "@chaski/kube";
import { INSTALL_DEFAULTS, installManifests, type Manifest } from "@chaski/operator";
import type { Client } from "@chaski/runtime";
import { unlessMissing } from "../cluster/unless-missing.ts";

export interface Step {
  /** In the infinitive, for people. */
  readonly what: string;
  readonly run: () => Promise<unknown>;
}

export interface UninstallOptions {
  readonly namespace: string;
  readonly hasCrds: boolean;
}

/** Of what is installed, in the order in which it goes. Namespace and CRDs are not among them. */
const KINDS: readonly Kind[] = [
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
  Deployment,
  ConfigMap,
  Service,
  PodDisruptionBudget,
  NetworkPolicy,
  ClusterRoleBinding,
  ClusterRole,
  RoleBinding,
  Role,
  ServiceAccount,
];

const OURS: readonly Kind[] = [canaryResource, ...releaseResources].map(({ group, version, kind, plural }) => ({
  group,
  version,
  kind,
  plural,
  isNamespaced: true,
}));
const TIED: readonly Kind[] = [Deployment, ControllerRevision];

export async function uninstallSteps(client: Client, options: UninstallOptions): Promise<readonly Step[]> {
  const installed = await present(client, installedRefs(options.namespace));
  const customs = (await Promise.all(OURS.map((kind) => all(client, kind)))).flat();
  const tied = (await Promise.all(TIED.map((kind) => all(client, kind)))).flat();
  const definitions = options.hasCrds ? await present(client, OURS.map(definitionRef)) : [];
  return [
    ...installed.map((ref) => removal(client, ref)),
    ...(await operatorPods(client, options.namespace)),
    ...tied.filter(({ object }) => ownersWithoutUs(object)).map((found) => untying(client, found)),
    ...customs.filter(({ object }) => hasOurFinalizer(object)).map((found) => unholding(client, found)),
    ...definitions.map((ref) => removal(client, ref)),
  ];
}

interface Found {
  readonly ref: Ref;
  readonly object: KubeObject;
}

function installedRefs(namespace: string): readonly Ref[] {
  const manifests = installManifests({ ...INSTALL_DEFAULTS, namespace });
  return KINDS.flatMap((kind) => manifests.filter((manifest) => manifest["kind"] === kind.kind).map(refOf(kind)));
}

function refOf(kind: Kind): (manifest: Manifest) => Ref {
  return (manifest) => {
    const { name, namespace } = manifest["metadata"] as { readonly name: string; readonly namespace?: string };
    return defined({ kind, name, namespace });
  };
}

function definitionRef(kind: Kind): Ref {
  return { kind: CustomResourceDefinition, name: resourceName(kind) };
}

async function present(client: Client, refs: readonly Ref[]): Promise<readonly Ref[]> {
  const isThere = await Promise.all(refs.map((ref) => unlessMissing(client.of(ref.kind).get(ref))));
  return refs.filter((_, index) => isThere[index] !== undefined);
}

/** None where the kind itself is missing. */
async function all<T extends KubeObject>(client: Client, kind: Kind<T>): Promise<readonly Found[]> {
  const found: Found[] = [];
  const read = async (): Promise<void> => {
    for await (const { items } of client.of(kind).pages())
      found.push(...items.map((object) => ({ ref: refTo(kind, object), object })));
  };
  await unlessMissing(read());
  return found;
}

function removal(client: Client, ref: Ref): Step {
  return { what: `remove ${describeRef(ref)}`, run: () => unlessMissing(client.of(ref.kind).delete(ref)) };
}

/** The last pass of a running operator would put back what is taken away after it. */
async function operatorPods(client: Client, namespace: string): Promise<readonly Step[]> {
  const labelSelector = "app.kubernetes.io/name=chaski";
  const { items } = await client.of(Pod).list({ namespace, labelSelector });
  return items.map((pod) => ({
    what: `wait until Pod ${namespace}/${pod.metadata.name} has ended`,
    run: async () => {
      const stop = new AbortController();
      const fieldSelector = `metadata.name=${pod.metadata.name}`;
      const { items: left, metadata } = await client.of(Pod).list({ namespace, fieldSelector });
      if (left.length === 0) return;
      const resourceVersion = metadata.resourceVersion ?? "";
      const watched = { namespace, fieldSelector, resourceVersion, signal: stop.signal };
      const watching = client.of(Pod).watch(watched, (batch) => {
        if (batch.some(({ type }) => type === "DELETED")) stop.abort();
        return undefined;
      });
      await watching.catch((error: unknown) => {
        if (!stop.signal.aborted) throw error;
      });
    },
  }));
}

/** Its other owners, if one of its owners is a Canary: the garbage collector would take it along. */
function ownersWithoutUs({ metadata: { ownerReferences = [] } }: KubeObject): typeof ownerReferences | undefined {
  const others = ownerReferences.filter(({ kind, apiVersion }) => !isCanary(kind, apiVersion));
  return others.length === ownerReferences.length ? undefined : others;
}

function isCanary(kind: string, apiVersion: string): boolean {
  return kind === Canary.kind && apiVersion.startsWith(`${Canary.group}/`);
}

function untying(client: Client, { ref, object }: Found): Step {
  const { resourceVersion } = object.metadata;
  const patch = { metadata: { resourceVersion, ownerReferences: ownersWithoutUs(object) ?? [] } };
  return {
    what: `untie ${describeRef(ref)} from its Canary`,
    run: () => client.of(ref.kind).patch(ref, "merge", patch),
  };
}

function hasOurFinalizer({ metadata: { finalizers = [] } }: KubeObject): boolean {
  return finalizers.some(isOurs);
}

function isOurs(finalizer: string): boolean {
  return OURS.some(({ group }) => finalizer.startsWith(`${group}/`));
}

function unholding(client: Client, { ref, object }: Found): Step {
  const { resourceVersion, finalizers = [] } = object.metadata;
  const patch = { metadata: { resourceVersion, finalizers: finalizers.filter((name) => !isOurs(name)) } };
  return {
    what: `release ${describeRef(ref)} from our finalizer`,
    run: () => client.of(ref.kind).patch(ref, "merge", patch),
  };
}
