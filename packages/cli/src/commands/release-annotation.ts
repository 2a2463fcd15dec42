// Commands that are one annotation on a ReleaseManager.
import { ReleaseManager } from "@chaski/api/kinds";
import { type ClusterOptions, FIELD_MANAGER, type Session, withSession } from "../cluster/cluster-options.ts";
import { findRelease } from "../cluster/find-release.ts";
import { report } from "../terminal/print.ts";

export interface Annotating {
  /** A null removes it. */
  readonly annotations: Readonly<Record<string, string | null>>;
  /** What was done, in a sentence. */
  readonly done: string;
}

export async function annotateRelease(
  name: string,
  options: ClusterOptions,
  decide: (release: ReleaseManager, session: Session) => Annotating | Promise<Annotating>,
): Promise<void> {
  await withSession(options, async (session) => {
    const release = await findRelease(session, name);
    const { annotations, done } = await decide(release, session);
    const key = { namespace: release.metadata.namespace ?? "", name: release.metadata.name };
    const patch = { metadata: { annotations } };
    const changed = await session.client.of(ReleaseManager).patch(key, "merge", patch, { fieldManager: FIELD_MANAGER });
    report(options, changed, done);
  });
}
