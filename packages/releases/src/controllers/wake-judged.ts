import { ReleaseManager, Revision } from "@chaski/api";
import { keyOf, type KubeObject } from "@chaski/kube";
import type { Runtime } from "@chaski/runtime";
import type { Judge, Subject } from "../evidence/judge.ts";
import { RELEASE_MANAGER_CONTROLLER } from "./release-manager.ts";
import { REVISION_CONTROLLER } from "./revision.ts";

/** What a judge has news about is looked at at once. */
export function wakeJudged(runtime: Pick<Runtime, "fleet" | "wake">, judges: readonly Judge[]): Disposable {
  const stack = new DisposableStack();
  const onNews = (subjects: readonly Subject[]): void => {
    const caches = runtime.fleet.clusters[0]?.caches;
    if (!caches) return;
    const apps = new Set(subjects.map(({ app }) => app));
    const tags = new Set(subjects.map(({ app, tag }) => `${app} ${tag}`));
    const wakeAll = (controller: string, objects: readonly KubeObject[]): void =>
      objects.forEach(({ metadata }) => runtime.wake(controller, keyOf(metadata), "now"));
    const releases = caches.of(ReleaseManager).list();
    const revisions = caches.of(Revision).list();
    wakeAll(
      RELEASE_MANAGER_CONTROLLER,
      releases.filter(({ spec }) => apps.has(spec.app)),
    );
    wakeAll(
      REVISION_CONTROLLER,
      revisions.filter(({ spec: { app } }) => tags.has(`${app.name} ${app.tag}`)),
    );
  };
  for (const judge of judges) stack.use(judge.subscribe(onNews));
  return stack;
}
