// One process of the operator after another, and two at once, on an embedded fleet.
import type { Transport } from "@chaski/kube";
import { Lease } from "@chaski/kube";
import { createClient, Election, type Leadership, leadershipIn, LocalStanding } from "@chaski/runtime";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Wrap } from "./stage/embedded-fleet.ts";
import { EmbeddedScene } from "./stage/embedded-scene.ts";

let scene: EmbeddedScene;
beforeEach(async () => {
  scene = await EmbeddedScene.open();
});
afterEach(() => scene.close());

function standAs(identity: string, wrap: Wrap): Leadership {
  const { clock, random, delivery } = scene.fleet;
  const client = createClient({ cluster: "delivery", transport: wrap(delivery.transport, "delivery"), clock, random });
  const standing = new LocalStanding(clock);
  const key = { namespace: "default", name: "chaski" };
  const leases = client.of(Lease);
  return leadershipIn(
    standing,
    (onElected) => new Election({ leases, key, identity, clock, random, standing, onElected }),
  );
}

/** Nothing gets through while it is cut; what waits goes out when it is mended, as after a pause of the process. */
function cuttable(): { readonly wrap: Wrap; cut(): void; mend(): void } {
  let mended = Promise.resolve();
  let mend = (): void => {};
  const wrap: Wrap = (transport) => {
    const send: Transport["send"] = async (request) => {
      await mended;
      return transport.send(request);
    };
    return { send, close: () => transport.close() };
  };
  const cut = (): void => {
    const { promise, resolve } = Promise.withResolvers<void>();
    mended = promise;
    mend = resolve;
  };
  return { wrap, cut, mend: () => mend() };
}

test("the other replica goes on where the leader was cut off, and the leader writes nothing when it is back", async () => {
  const { stage } = scene;
  const [first, second] = [cuttable(), cuttable()];
  await scene.startOperator({ wrap: first.wrap, leadership: standAs("first", first.wrap) });
  await stage.pass(3_000);
  await scene.startOperator({ wrap: second.wrap, leadership: standAs("second", second.wrap) });
  await stage.joinAll();
  await stage.released("v1");
  await stage.release("v2");
  await stage.until("v2 ramps", async () => ((await stage.entry("v2"))?.currentPercent ?? 0) >= 20);
  first.cut();
  await stage.pass(5_000);
  const held = await stage.weights();
  await stage.untilReleased("v2");
  expect(held).not.toBe("v2 100");
  first.mend();
  await stage.pass(30_000);
  expect(await stage.weights()).toBe("v2 100");
  expect(scene.broken()).toEqual([]);
}, 120_000);

/** Every answer of a target cluster is on its way for a while. */
const distant: Wrap = (transport, cluster) => {
  if (cluster === "delivery") return transport;
  const send: Transport["send"] = async (request) => {
    await scene.fleet.clock.sleep(500);
    return transport.send(request);
  };
  return { send, close: () => transport.close() };
};

test("a new process on a fleet at rest writes nothing: what was released stays so while its clusters are connected", async () => {
  const { stage } = scene;
  await scene.startOperator();
  await stage.joinAll();
  await stage.released("v1");
  await scene.stopOperators();
  const requests = await scene.requestsDuring(async () => {
    await scene.startOperator({ wrap: distant });
    await stage.pass(60_000);
  });
  expect(requests.filter((request) => !/^(?:get|list) /.test(request))).toEqual([]);
}, 120_000);
