// Keeps the Endpoints and EndpointSlices of Services that select pods.
import { EndpointSlice, Endpoints, type KubeObject, keyOf, type Kind, Pod, parseKey, Service } from "@chaski/kube";
import { equalJson } from "../../schema/json.ts";
import type { Access, Change } from "../access.ts";
import type { ClusterState, ControllerParts } from "../cluster-state.ts";
import { IndexBy } from "../index-by.ts";
import { controllerOf, referenceTo, selects } from "../ownership.ts";
import type { WorkQueue } from "../workbench.ts";
import { type EndpointGroup, endpointGroups, sliceEndpointsOf, subsetsOf } from "./endpoints.ts";

const SLICES_SERVICE = "kubernetes.io/service-name";
const SLICES_MANAGER = "endpointslice.kubernetes.io/managed-by";
const ENDPOINTS_MANAGER = "endpoints.kubernetes.io/managed-by";

export class EndpointsController {
  readonly #access: Access;
  readonly #state: ClusterState;
  readonly #services: IndexBy<Service>;
  readonly #slices: IndexBy<EndpointSlice>;
  readonly #queue: WorkQueue;

  constructor({ access, state, workbench }: ControllerParts) {
    this.#access = access;
    this.#state = state;
    this.#services = new IndexBy(access, Service, ({ metadata }) => metadata.namespace);
    this.#slices = new IndexBy(access, EndpointSlice, (slice) => controllerOf(slice)?.uid);
    this.#queue = workbench.queue((key) => this.#sync(key));
  }

  start(): void {
    this.#access.watch(Service, (change) => this.#onService(change));
    this.#access.watch(Pod, (change) => this.#onPod(change));
  }

  #onService({ before, after }: Change<Service>): void {
    if (after) this.#queue.add(keyOf(after.metadata));
    else if (before) {
      const endpoints = this.#access.get(Endpoints, before.metadata);
      if (endpoints) this.#access.remove(Endpoints, endpoints);
    }
  }

  #onPod({ before, after }: Change<Pod>): void {
    for (const pod of [before, after]) {
      if (!pod) continue;
      for (const service of this.#services.get(pod.metadata.namespace ?? ""))
        if (isServedBy(service, pod)) this.#queue.add(keyOf(service.metadata));
    }
  }

  async #sync(key: string): Promise<void> {
    const service = this.#access.get(Service, parseKey(key));
    if (!service?.spec?.selector || service.spec.type === "ExternalName") return;
    const pods = this.#state.podsIn(service.metadata.namespace).filter((pod) => isServedBy(service, pod));
    const groups = endpointGroups(service, pods);
    await this.#writeEndpoints(service, groups);
    await this.#writeSlices(service, groups);
  }

  async #writeEndpoints({ metadata }: Service, groups: readonly EndpointGroup[]): Promise<void> {
    const { namespace, name, labels } = metadata;
    const subsets = subsetsOf(groups);
    const wanted = {
      metadata: { namespace, name, labels: { ...labels, [ENDPOINTS_MANAGER]: "endpoint-controller" } },
      ...(subsets.length > 0 && { subsets }),
    };
    await this.#write(Endpoints, wanted, this.#access.get(Endpoints, metadata));
  }

  /** One slice for each set of ports, as long as there is one; an empty one while there is none. */
  async #writeSlices(service: Service, groups: readonly EndpointGroup[]): Promise<void> {
    const known = this.#slices.get(service.metadata.uid ?? "");
    const slices = groups.length > 0 ? groups : [{ ports: [], pods: [] }];
    for (const [index, group] of slices.entries())
      await this.#write(EndpointSlice, sliceOf(service, group), known[index]);
    for (const slice of known.slice(slices.length)) this.#access.remove(EndpointSlice, slice);
  }

  async #write<T extends KubeObject>(kind: Kind<T>, wanted: Wanted, live: T | undefined): Promise<void> {
    if (!live) await this.#access.create(kind, wanted);
    else if (!isSame(live, wanted)) {
      const { metadata, ...rest } = wanted;
      await this.#access.edit(kind, live.metadata, (current) => ({
        ...current,
        ...rest,
        metadata: { ...current.metadata, labels: metadata.labels },
      }));
    }
  }
}

interface Wanted extends Record<string, unknown> {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> } & Record<string, unknown>;
}

function sliceOf(service: Service, group: EndpointGroup): Wanted {
  const { namespace, name, labels } = service.metadata;
  return {
    metadata: {
      namespace,
      generateName: `${name}-`,
      labels: { ...labels, [SLICES_MANAGER]: "endpointslice-controller.k8s.io", [SLICES_SERVICE]: name },
      ownerReferences: [referenceTo(Service, service)],
    },
    addressType: "IPv4",
    endpoints: sliceEndpointsOf(group),
    ports: group.ports,
  };
}

function isSame(live: KubeObject, { metadata, ...wanted }: Wanted): boolean {
  const current = live as unknown as Readonly<Record<string, unknown>>;
  const fields = ["subsets", "addressType", "endpoints", "ports"];
  return (
    equalJson(live.metadata.labels, metadata.labels) &&
    fields.every((field) => sameField(current[field], wanted[field]))
  );
}

function sameField(left: unknown, right: unknown): boolean {
  return equalJson(left ?? [], right ?? []);
}

function isServedBy({ spec }: Service, pod: Pod): boolean {
  return spec?.selector !== undefined && selects({ matchLabels: spec.selector }, pod);
}
