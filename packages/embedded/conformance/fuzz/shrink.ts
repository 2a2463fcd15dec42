import { smaller } from "./json.ts";
import type { Sequence } from "./operation.ts";

const ATTEMPTS_MAX = 200;

/** The smallest sequence found on which the servers still disagree. */
export async function shrink(
  sequence: Sequence,
  disagrees: (smaller: Sequence) => Promise<boolean>,
): Promise<Sequence> {
  let smallest = sequence;
  let attempts = 0;
  for (let hasShrunk = true; hasShrunk; ) {
    hasShrunk = false;
    for (const candidate of candidates(smallest)) {
      if (attempts++ === ATTEMPTS_MAX) return smallest;
      if (!(await disagrees(candidate))) continue;
      smallest = candidate;
      hasShrunk = true;
      break;
    }
  }
  return smallest;
}

/** Fewer operations first, then less in their bodies. */
function* candidates(sequence: Sequence): Generator<Sequence> {
  const { operations } = sequence;
  for (let index = operations.length - 1; index >= 0; index--) {
    yield { ...sequence, operations: operations.toSpliced(index, 1) };
  }
  for (const [index, operation] of operations.entries()) {
    for (const body of smaller(operation.body)) {
      yield { ...sequence, operations: operations.with(index, { ...operation, body }) };
    }
  }
}
