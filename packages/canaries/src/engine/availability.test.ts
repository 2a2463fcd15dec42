import { seededRandom } from "@chaski/clock";
import { expect, test } from "vitest";
import { runHistory } from "../../test/history.ts";

const HISTORIES = Number(process.env["CHASKI_HISTORIES"] ?? 2_000);

test.each([18_345, 36_854])(
  "an image that changed while the release had no pods is released, as in history %i",
  (seed) => {
    expect(runHistory(seededRandom(seed))).toEqual([]);
  },
);

test(
  `no write takes availability below the total, and every release ends, in ${HISTORIES} random histories`,
  () => {
    const faults: string[] = [];
    for (let seed = 1; seed <= HISTORIES && faults.length < 3; seed++) {
      faults.push(...runHistory(seededRandom(seed)).map((fault) => `seed ${seed}: ${fault}`));
    }
    expect(faults).toEqual([]);
  },
  60_000 + 120 * HISTORIES,
);
