import { type KubeObject, Pod, ReplicaSet } from "@chaski/kube";
import type { Access } from "./access.ts";
import { IndexBy } from "./index-by.ts";
import { controllerOf } from "./ownership.ts";
import type { Recorder } from "./recorder.ts";
import type { Workbench } from "./workbench.ts";

/** What every controller gets. */
export interface ControllerParts {
  readonly access: Access;
  readonly recorder: Recorder;
  readonly state: ClusterState;
  readonly workbench: Workbench;
}

/** What several controllers look up, found without going through all objects. */
export class ClusterState {
  readonly #pods: IndexBy<Pod>;
  readonly #podsByNamespace: IndexBy<Pod>;
  readonly #replicaSets: IndexBy<ReplicaSet>;

  constructor(access: Access) {
    this.#pods = new IndexBy(access, Pod, byController);
    this.#podsByNamespace = new IndexBy(access, Pod, ({ metadata }) => metadata.namespace);
    this.#replicaSets = new IndexBy(access, ReplicaSet, byController);
  }

  podsFor(owner: KubeObject): Candidates<Pod> {
    return candidates(this.#pods, owner);
  }

  podsIn(namespace = ""): Pod[] {
    return this.#podsByNamespace.get(namespace);
  }

  replicaSetsFor(owner: KubeObject): Candidates<ReplicaSet> {
    return candidates(this.#replicaSets, owner);
  }

  /** The pods of all ReplicaSets that have the same owner as this one. */
  podsOfSiblings(replicaSet: ReplicaSet): Pod[] {
    const owner = controllerOf(replicaSet);
    const siblings = owner ? this.#replicaSets.get(owner.uid) : [replicaSet];
    return siblings.flatMap((sibling) => this.podsFor(sibling).own);
  }
}

export interface Candidates<T> {
  /** Name the owner as their controller. */
  readonly own: T[];
  /** Of its namespace, without any controller. */
  readonly orphans: T[];
}

function candidates<T extends KubeObject>(index: IndexBy<T>, { metadata }: KubeObject): Candidates<T> {
  return { own: index.get(metadata.uid ?? ""), orphans: index.get(orphansOf(metadata.namespace)) };
}

function byController(object: KubeObject): string {
  return controllerOf(object)?.uid ?? orphansOf(object.metadata.namespace);
}

function orphansOf(namespace: string | undefined): string {
  return `orphans/${namespace}`;
}
