import { seededRandom, VirtualClock } from "@chaski/clock";
import type { Lease } from "@chaski/kube";
import { expect, test } from "vitest";
import { AlreadyExists, Conflict, NotFound } from "../client/errors.ts";
import { Election } from "./election.ts";
import { type Leadership, leadershipIn } from "./leadership.ts";
import { LocalStanding } from "./standing.ts";

const key = { namespace: "chaski", name: "operator" };

const attempted = { cluster: "local", verb: "update" };
const refused = { message: "refused" };

/** One lease on a server that can be cut off. */
class LeaseServer {
  lease: Lease | undefined;
  #version = 0;
  unreachableFor = new Set<string>();

  clientOf(identity: string) {
    const check = (): void => {
      if (this.unreachableFor.has(identity)) throw new Error("no route to host");
    };
    return {
      get: async (): Promise<Lease> => {
        check();
        if (!this.lease) throw new NotFound(attempted, { ...refused, isKindMissing: false });
        return this.lease;
      },
      create: async (lease: Lease): Promise<Lease> => {
        check();
        if (this.lease) throw new AlreadyExists(attempted, refused);
        return this.#store(lease);
      },
      update: async (lease: Lease): Promise<Lease> => {
        check();
        if (lease.metadata.resourceVersion !== this.lease?.metadata.resourceVersion)
          throw new Conflict(attempted, refused);
        return this.#store(lease);
      },
    };
  }

  get holder(): string | undefined {
    return this.lease?.spec.holderIdentity;
  }

  #store(lease: Lease): Lease {
    this.lease = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(++this.#version) } };
    return this.lease;
  }
}

function stand(server: LeaseServer, identity: string, clock: VirtualClock, skewMs = 0): Leadership {
  const standing = new LocalStanding(clock);
  const skewed = Object.create(clock, { now: { value: () => clock.now() + skewMs } }) as VirtualClock;
  for (const method of ["monotonic", "after", "sleep", "deadline"] as const)
    Object.defineProperty(skewed, method, { value: clock[method].bind(clock) });
  return leadershipIn(
    standing,
    (onElected) =>
      new Election({
        leases: server.clientOf(identity),
        key,
        identity,
        clock: skewed,
        random: seededRandom(identity.length),
        standing,
        onElected,
      }),
  );
}

function setUp() {
  return { clock: new VirtualClock(), server: new LeaseServer() };
}

test("the first candidate creates the lease and leads", async () => {
  const { clock, server } = setUp();
  const ada = stand(server, "ada", clock);
  await clock.settle();
  expect(ada.isLeading()).toBe(true);
  expect(server.lease?.spec).toMatchObject({ holderIdentity: "ada", leaseDurationSeconds: 15, leaseTransitions: 0 });
  expect(server.lease?.spec.renewTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
});

test("the holder renews every 2 s and stays; the other waits", async () => {
  const { clock, server } = setUp();
  const ada = stand(server, "ada", clock);
  await clock.settle();
  const grace = stand(server, "grace", clock);
  for (let second = 0; second < 120; second++) {
    await clock.advance(1_000);
    expect([ada.isLeading(), grace.isLeading()]).toEqual([true, false]);
  }
});

test("a release hands over at once", async () => {
  const { clock, server } = setUp();
  const ada = stand(server, "ada", clock);
  await clock.settle();
  const grace = stand(server, "grace", clock);
  await clock.advance(5_000);
  await ada.release();
  expect(ada.isLeading()).toBe(false);
  await clock.advance(2_400);
  expect(grace.isLeading()).toBe(true);
  expect(server.lease?.spec).toMatchObject({ holderIdentity: "grace", leaseTransitions: 1 });
});

test.each([{ skewMs: 0 }, { skewMs: -3_600_000 }, { skewMs: 3_600_000 }])(
  "a holder that is cut off stops 10 s after its last renewal, before the other starts at 15 s (clock skew $skewMs ms)",
  async ({ skewMs }) => {
    const { clock, server } = setUp();
    const ada = stand(server, "ada", clock);
    await clock.settle();
    const grace = stand(server, "grace", clock, skewMs);
    await clock.advance(30_000);
    let hasLost = false;
    void ada.lost.then(() => (hasLost = true));
    server.unreachableFor.add("ada");
    const leading: string[] = [];
    for (let tick = 0; tick < 250; tick++) {
      await clock.advance(100);
      leading.push([ada.isLeading() && "ada", grace.isLeading() && "grace"].filter(Boolean).join(" and "));
    }
    expect([...new Set(leading)]).toEqual(["ada", "", "grace"]);
    expect(leading.filter((who) => who === "").length).toBeGreaterThanOrEqual(30);
    expect(hasLost).toBe(true);
  },
);

test("one that has lost the lease does not act again when the server comes back", async () => {
  const { clock, server } = setUp();
  const ada = stand(server, "ada", clock);
  await clock.settle();
  server.unreachableFor.add("ada");
  await clock.advance(10_000);
  server.unreachableFor.clear();
  await clock.advance(60_000);
  expect(ada.isLeading()).toBe(false);
});

test("one whose lease was taken by hand stops at its next attempt", async () => {
  const { clock, server } = setUp();
  const ada = stand(server, "ada", clock);
  await clock.settle();
  const lease = await server.clientOf("mallory").get();
  await server.clientOf("mallory").update({ ...lease, spec: { ...lease.spec, holderIdentity: "mallory" } });
  await clock.advance(5_000);
  expect(ada.isLeading()).toBe(false);
  expect(server.holder).toBe("mallory");
});

test("a short outage costs nothing", async () => {
  const { clock, server } = setUp();
  const ada = stand(server, "ada", clock);
  await clock.settle();
  for (let round = 0; round < 10; round++) {
    server.unreachableFor.add("ada");
    await clock.advance(6_000);
    server.unreachableFor.clear();
    await clock.advance(3_000);
    expect(ada.isLeading()).toBe(true);
  }
});

test("of many candidates that start together exactly one leads at any time, through failures and hand-overs", async () => {
  const { clock, server } = setUp();
  const random = seededRandom(42);
  let candidates = Array.from({ length: 5 }, (_, number) => ({
    name: `candidate-${number}`,
    leadership: stand(server, `candidate-${number}`, clock),
  }));
  const leaders = new Set<string>();
  for (let round = 0; round < 300; round++) {
    await clock.advance(500);
    const leading = candidates.filter(({ leadership }) => leadership.isLeading());
    expect(leading.length).toBeLessThanOrEqual(1);
    for (const { name } of leading) leaders.add(name);
    const [leader] = leading;
    if (leader && random() < 0.05) server.unreachableFor.add(leader.name);
    if (leader && random() < 0.05) {
      await leader.leadership.release();
      candidates = candidates.filter((candidate) => candidate !== leader);
    }
  }
  expect(leaders.size).toBeGreaterThan(2);
});
