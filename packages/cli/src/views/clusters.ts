// The clusters of the fleet, a row each.
import type { Cluster } from "@chaski/api/kinds";
import { releaseKeys } from "@chaski/api/kinds";
import { findCondition } from "@chaski/kube";
import { type Frame, type Line, line, span, type Style, wrap } from "./line.ts";
import { drawTable } from "./table.ts";
import { age } from "./times.ts";

export interface ClusterRow {
  readonly name: string;
  readonly fleet: string;
  readonly state: string;
  readonly style: Style;
  readonly version: string;
  readonly since: string | undefined;
  readonly releases: number;
  readonly note: string;
}

export function clusterRow(cluster: Cluster, releases: number): ClusterRow {
  const { metadata, status } = cluster;
  return {
    name: metadata.name,
    fleet: metadata.labels?.[releaseKeys.labels.fleet] ?? "–",
    ...stateOf(cluster),
    version: status?.kubernetes?.version || "–",
    since: findCondition(status?.conditions, "Ready")?.lastTransitionTime,
    releases,
    note: notesOf(cluster).join("; "),
  };
}

function notesOf({ metadata, spec, status }: Cluster): readonly string[] {
  const quarantine = metadata.annotations?.[releaseKeys.annotations.quarantine];
  const ready = findCondition(status?.conditions, "Ready");
  const rejected = findCondition(status?.conditions, "CredentialsRejected");
  return [
    quarantine === undefined ? [] : `quarantined: ${quarantine || "no reason given"}`,
    spec.hotStandby === true ? "hot standby" : [],
    ready && ready.status !== "True" ? ready.message : [],
    rejected ? rejected.message : [],
  ].flat();
}

const STATE_STYLES = { True: "green", Unknown: "yellow", False: "red" } as const;

function stateOf({ spec, status }: Cluster): Pick<ClusterRow, "state" | "style"> {
  const ready = findCondition(status?.conditions, "Ready");
  if (!spec.enabled) return { state: "disabled", style: "dim" };
  if (!ready) return { state: "new", style: "yellow" };
  return { state: ready.reason.toLowerCase(), style: STATE_STYLES[ready.status] };
}

export function drawClusters(rows: readonly ClusterRow[], frame: Frame): readonly Line[] {
  if (rows.length === 0) {
    const sentences = [
      "There are no clusters here yet.",
      "Add one: `chaski clusters join NAME --fleet FLEET --from-kubeconfig FILE`.",
    ];
    return sentences.flatMap((sentence) => wrap(sentence, frame.columns)).map((text) => line(text));
  }
  const table = drawTable(
    rows,
    [
      { heading: "CLUSTER", rank: 0, cell: ({ name }) => span(name, "bold") },
      { heading: "FLEET", rank: 2, cell: ({ fleet }) => span(fleet) },
      { heading: "STATE", rank: 1, cell: ({ state, style }) => span(state, style) },
      { heading: "FOR", rank: 3, cell: ({ since }) => span(age(since, frame), "dim") },
      { heading: "VERSION", rank: 4, cell: ({ version }) => span(version) },
      { heading: "RELEASES", rank: 5, cell: ({ releases }) => span(String(releases)) },
    ],
    frame.columns,
  );
  const noted = rows.filter(({ note }) => note !== "");
  return [...table, ...noted.flatMap(({ name, note }) => [line(""), ...drawNote(name, note, frame)])];
}

/** In full: it says what to do about the cluster. */
function drawNote(name: string, note: string, { columns }: Frame): readonly Line[] {
  return wrap(`${name}: ${note}`, columns).map((text) => line(text));
}
