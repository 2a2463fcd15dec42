import { VirtualClock } from "@chaski/clock";
import { describe, expect, test } from "vitest";
import type { Subject } from "./judge.ts";
import { INTEREST_MS, PolledJudge } from "./polled-judge.ts";

const echo = (tag: string): Subject => ({ app: "echo", tag, isCanaryOnly: false });

/** A provider whose answer the test sets: the tags that are bad, an error, or nothing at all. */
function stage({ everyMs = 10_000, deadlineMs = 10_000 } = {}) {
  const clock = new VirtualClock();
  const provider = { bad: [] as string[], error: undefined as Error | undefined, isHanging: false, questions: 0 };
  const signals: AbortSignal[] = [];
  const judge = new PolledJudge<readonly string[]>({
    name: "oracle",
    clock,
    everyMs,
    deadlineMs,
    questionFor: ({ tag, isCanaryOnly }) => (isCanaryOnly ? `canary ${tag}` : "all"),
    ask: (_question, signal) => {
      provider.questions += 1;
      signals.push(signal);
      if (provider.isHanging) return new Promise(() => {});
      return provider.error ? Promise.reject(provider.error) : Promise.resolve([...provider.bad]);
    },
    alertsIn: (bad, { tag }) => (bad.includes(tag) ? ["burning"] : []),
  });
  const woken: string[] = [];
  judge.subscribe((subjects) => woken.push(...subjects.map(({ tag }) => tag)));
  return { clock, provider, judge, woken, signals };
}

describe("who is asked, and when", () => {
  test("nothing is asked while nobody is being judged", async () => {
    const { clock, provider } = stage();
    await clock.advance(60_000);
    expect(provider.questions).toBe(0);
  });

  test("scenario 22: one question serves every app and tag that shares it", async () => {
    const { clock, provider, judge } = stage();
    for (let pass = 0; pass < 5; pass++) {
      for (const tag of ["v1", "v2", "v3"]) judge.evidenceOf(echo(tag));
      await clock.advance(1_000);
    }
    expect(provider.questions).toBe(1);
    await clock.advance(5_000);
    expect(provider.questions).toBe(2);
  });

  test("it stops asking when nobody has wanted to know for a minute, after having said so", async () => {
    const { clock, provider, judge, woken } = stage();
    judge.evidenceOf(echo("v1"));
    await clock.advance(INTEREST_MS / 2 + 10_000);
    expect(woken).toContain("v1");
    await clock.advance(INTEREST_MS);
    const asked = provider.questions;
    expect(judge.size).toBe(0);
    await clock.advance(10 * INTEREST_MS);
    expect(provider.questions).toBe(asked);
  });

  test("D-16: ten thousand different questions are not kept, and those beyond the limit are unknown", async () => {
    const { clock, judge } = stage();
    const evidence = Array.from({ length: 10_000 }, (_, index) =>
      judge.evidenceOf({ app: "echo", tag: `v${index}`, isCanaryOnly: true }),
    );
    expect(judge.size).toBe(1_000);
    expect(evidence.at(-1)).toMatchObject({ verdict: "unknown", cause: "1000 other revisions are being judged" });
    await clock.advance(2 * INTEREST_MS);
    expect(judge.size).toBe(0);
  });

  test("a stop ends polling and the question under way", async () => {
    const { clock, provider, judge, signals } = stage();
    provider.isHanging = true;
    judge.evidenceOf(echo("v1"));
    judge.stop();
    await clock.advance(60_000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(provider.questions).toBe(1);
    expect(judge.evidenceOf(echo("v1"))).toMatchObject({ verdict: "unknown", cause: "stopped" });
  });
});

describe("the three values", () => {
  test("unknown before the first answer, then pass; who asked is told", async () => {
    const { clock, judge, woken } = stage();
    expect(judge.evidenceOf(echo("v1"))).toMatchObject({ verdict: "unknown", cause: "not answered yet" });
    await clock.settle();
    expect(woken).toEqual(["v1"]);
    expect(judge.evidenceOf(echo("v1"))).toMatchObject({ judge: "oracle", verdict: "pass" });
  });

  test("only those whose evidence changed are told", async () => {
    const { clock, provider, judge, woken } = stage();
    judge.evidenceOf(echo("v1"));
    judge.evidenceOf(echo("v2"));
    await clock.settle();
    woken.length = 0;
    provider.bad = ["v2"];
    await clock.advance(10_000);
    expect(woken).toEqual(["v2"]);
    expect(judge.evidenceOf(echo("v2"))).toMatchObject({ verdict: "fail", alerts: ["burning"] });
    expect(judge.evidenceOf(echo("v1")).verdict).toBe("pass");
  });

  test("an error is unknown at once, with its cause, and over as soon as there is an answer", async () => {
    const { clock, provider, judge } = stage();
    judge.evidenceOf(echo("v1"));
    await clock.settle();
    provider.error = new Error("it answered 503");
    await clock.advance(10_000);
    expect(judge.evidenceOf(echo("v1"))).toMatchObject({ verdict: "unknown", cause: "it answered 503" });
    provider.error = undefined;
    await clock.advance(10_000);
    expect(judge.evidenceOf(echo("v1")).verdict).toBe("pass");
  });

  test("D-14: a provider that hangs is given up at the deadline, and asked again", async () => {
    const { clock, provider, judge, signals } = stage({ deadlineMs: 5_000 });
    provider.isHanging = true;
    judge.evidenceOf(echo("v1"));
    await clock.advance(5_000);
    expect(judge.evidenceOf(echo("v1"))).toMatchObject({ verdict: "unknown", cause: "no answer within 5 s" });
    expect(signals[0]?.aborted).toBe(true);
    provider.isHanging = false;
    await clock.advance(5_000);
    expect(judge.evidenceOf(echo("v1")).verdict).toBe("pass");
  });

  test("an answer older than half a minute is unknown", async () => {
    const { clock, judge } = stage({ everyMs: 50_000 });
    judge.evidenceOf(echo("v1"));
    await clock.advance(30_000);
    expect(judge.evidenceOf(echo("v1")).verdict).toBe("pass");
    await clock.advance(1);
    expect(judge.evidenceOf(echo("v1"))).toMatchObject({
      verdict: "unknown",
      cause: "the last answer is older than 30 s",
    });
  });

  test("since when it is so stays as long as it is so", async () => {
    const { clock, provider, judge } = stage();
    judge.evidenceOf(echo("v1"));
    await clock.settle();
    const { sinceMs } = judge.evidenceOf(echo("v1"));
    await clock.advance(20_000);
    expect(judge.evidenceOf(echo("v1")).sinceMs).toBe(sinceMs);
    provider.bad = ["v1"];
    await clock.advance(10_000);
    expect(judge.evidenceOf(echo("v1")).sinceMs).toBe(clock.now());
  });
});
