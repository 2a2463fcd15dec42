import { expect, test } from "vitest";
import { NOW_MS, stories } from "../../test/stories.ts";
import { render } from "../views/line.ts";
import { demoCanary } from "./objects.ts";
import { drawDemo } from "./scene-view.ts";

const approval = {
  name: "Approval",
  verdict: "waiting",
  message: "batch 1 of 3 is finished and waits for approval",
} as const;

test.each([40, 80])(
  "at %i columns the picture tells the story, the release, its errors and where to look",
  (columns) => {
    const picture = {
      release: stories.delay(),
      canary: { ...demoCanary(), status: { batch: "1/3", gates: [approval] } },
      older: undefined,
      newer: undefined,
      clusters: 3,
      news: "v2 is released step by step",
      errorRatios: new Map([
        ["v1", 0.001],
        ["v2", 0.2],
      ]),
      kubeconfig: "/tmp/chaski-aBcDeF/kubeconfig",
    };
    const frame = { columns, nowMs: NOW_MS, timeZone: "UTC" } as const;
    const lines = render(drawDemo(picture, frame), { isColored: false });
    expect(lines).toEqual(
      expect.arrayContaining([
        "v2 is released step by step",
        "errors v2 20.0 %  v1 0.1 %",
        expect.stringMatching(/^v2 +releasing/),
        expect.stringMatching(/^Canary mail/),
        expect.stringMatching(/^waits: batch 1 of 3 is finished/),
        expect.stringMatching(/\/tmp\/chaski-aBcDeF\/kubeconfig$/),
      ]),
    );
    expect(lines.filter((text) => text.length > columns)).toEqual([]);
  },
);
