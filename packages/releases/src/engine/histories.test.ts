// Random histories on a model fleet: twenty thousand decisions, no rule broken. `npm run prove` goes further.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { histories, run } from "../../test/histories.ts";

const DECISIONS = 20_000;

test("every rule holds at every step of random histories", { timeout: 120_000 }, () => {
  let decisions = 0;
  fc.assert(
    fc.property(histories, (history) => {
      decisions += run(history).decisions;
    }),
    { seed: 20_260_304, numRuns: 500, endOnFailure: true },
  );
  expect(decisions).toBeGreaterThan(DECISIONS);
});
