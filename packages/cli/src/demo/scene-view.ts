// The demo's picture: the release as `chaski watch` shows it, how its answers fare, the canary, where to look further.
import { drawCanary } from "../views/canary-scene.ts";
import { type Frame, type Line, line, span, wrap } from "../views/line.ts";
import { releaseOf } from "../views/release.ts";
import { drawTree } from "../views/release-tree.ts";
import type { Scene } from "./story.ts";

export interface Picture extends Scene {
  readonly clusters: number;
  readonly news: string | undefined;
  readonly errorRatios: ReadonlyMap<string, number>;
  readonly kubeconfig: string;
}

export function drawDemo(picture: Picture, frame: Frame): readonly Line[] {
  const { release, canary, news } = picture;
  return [
    line(span("chaski up", "bold"), span(`  ${picture.clusters + 1} clusters in this process`, "dim")),
    ...drawHints(picture.kubeconfig, frame),
    line(""),
    ...(news ? wrap(news, frame.columns).map((text) => line(span(text, "cyan"))) : []),
    line(""),
    ...(release ? [...drawTree(releaseOf(release), frame), ...drawErrors(picture), line("")] : []),
    ...(canary ? drawCanary({ ...picture, canary }, frame) : []),
  ];
}

/** A command has to be whole to be copied. */
function drawHints(kubeconfig: string, { columns }: Frame): readonly Line[] {
  const command = `export KUBECONFIG=${kubeconfig}`;
  const place = command.length <= columns ? [command] : ["KUBECONFIG is", kubeconfig];
  const hint = wrap("then kubectl, chaski watch, chaski why shop; Ctrl-C ends it", columns);
  return [...place, ...hint].map((text) => line(span(text, "dim")));
}

function drawErrors({ errorRatios }: Picture): readonly Line[] {
  const parts = [...errorRatios]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .flatMap(([tag, ratio]) => {
      const text = `${tag} ${(ratio * 100).toFixed(1)} %  `;
      return [span(text, ratio > 0.01 ? "red" : "green")];
    });
  return parts.length === 0 ? [] : [line(span("errors ", "dim"), ...parts)];
}
