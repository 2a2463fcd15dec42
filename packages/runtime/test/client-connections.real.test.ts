import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemRandom } from "@chaski/clock";
import { ConfigMap, Deployment, Secret } from "@chaski/kube";
import { createAuthority } from "@chaski/pki";
import { type Client, connect, Forbidden, loadKubeconfig, thisMachine, Timeout } from "@chaski/runtime";
import { type KubeUser, until } from "@chaski/test/kube";
import { beforeAll, describe, expect, test } from "vitest";
import { clock, type RealSite, useRealSite } from "./real-site.ts";

const real = useRealSite();
let site: RealSite;
let client: Client;
let namespace: string;

beforeAll(async () => {
  site = real.current;
  namespace = site.namespace;
  client = await site.client();
});

describe("connections", () => {
  test("1,000 sequential GETs open no new connection", async () => {
    const through = await site.clientThroughProxy();
    await through.of(ConfigMap).create(site.configMap("read-often"));
    for (let read = 0; read < 5; read++) await through.of(ConfigMap).get({ namespace, name: "read-often" });
    const opened = site.proxy.connectionsOpened;
    for (let read = 0; read < 1_000; read++) await through.of(ConfigMap).get({ namespace, name: "read-often" });
    expect(site.proxy.connectionsOpened).toBe(opened);
  });

  test("40 open watches do not hold up a read", async () => {
    const stop = new AbortController();
    const through = await site.clientThroughProxy();
    const options = { namespace, signal: stop.signal };
    const watches = Array.from({ length: 40 }, () => through.of(ConfigMap).watch(options, () => undefined));
    await until(() => site.proxy.connectionsOpen >= 40 || undefined, { what: "the watches are open" });
    await through.of(ConfigMap).list({ namespace, deadlineMs: 5_000 });
    stop.abort(new Error("enough"));
    const ends = await Promise.allSettled(watches);
    expect(new Set(ends.map((end) => (end.status === "rejected" ? String(end.reason) : end.status)))).toEqual(
      new Set(["Error: enough"]),
    );
  });

  test("a hanging server: the deadline holds, and says that a write may have happened", async () => {
    const through = await site.clientThroughProxy();
    await through.of(ConfigMap).list({ namespace });
    site.proxy.blackHole();
    const startedMs = clock.monotonic();
    const read = through.of(ConfigMap).list({ namespace, deadlineMs: 500 });
    const write = through.of(ConfigMap).create(site.configMap("lost"), { deadlineMs: 500 });
    await expect(read).rejects.toMatchObject({ reason: "Timeout", isOutcomeUnknown: false });
    await expect(write).rejects.toMatchObject({ reason: "Timeout", isOutcomeUnknown: true });
    await expect(write).rejects.toBeInstanceOf(Timeout);
    expect(clock.monotonic() - startedMs).toBeLessThan(2_000);
    await site.proxy.resume();
    await through.of(ConfigMap).list({ namespace });
  });

  test("a read on a connection that was cut meanwhile succeeds; a write that found no server was not executed", async () => {
    const through = await site.clientThroughProxy();
    await through.of(ConfigMap).list({ namespace });
    site.proxy.cut();
    await through.of(ConfigMap).list({ namespace });
    await site.proxy.refuse();
    await expect(through.of(ConfigMap).list({ namespace })).rejects.toMatchObject({ reason: "ConnectionLost" });
    await expect(through.of(ConfigMap).create(site.configMap("refused"))).rejects.toMatchObject({
      reason: "ConnectionLost",
      isOutcomeUnknown: false,
    });
    await site.proxy.resume();
  });

  test("a watch over a cut connection fails as ConnectionLost, never silently", async () => {
    const through = await site.clientThroughProxy();
    const options = { namespace, signal: new AbortController().signal };
    const watching = through.of(ConfigMap).watch(options, () => {
      site.proxy.cut();
      return undefined;
    });
    await expect(watching).rejects.toMatchObject({ reason: "ConnectionLost" });
  });

  test("sendInitialEvents streams what is there, then a bookmark that says so", async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    const options = { namespace, signal: stop.signal, sendInitialEvents: true };
    const watching = client.of(ConfigMap).watch(options, (batch) => {
      seen.push(...batch.map(({ type }) => type));
      if (seen.includes("BOOKMARK")) stop.abort(new Error("all was seen"));
      return undefined;
    });
    await expect(watching).rejects.toThrow("all was seen");
    expect(seen.at(-1)).toBe("BOOKMARK");
    expect(seen.slice(0, -1).every((type) => type === "ADDED")).toBe(true);
    expect(seen.length).toBeGreaterThan(1);
  });
});

describe("who we are", () => {
  test("a forbidden verb names user, verb and resource", async () => {
    const user = await site.plane.addUser("nobody-in-particular");
    const stranger = await site.client(user);
    const error = await stranger
      .of(Deployment)
      .list({ namespace })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Forbidden);
    expect(String(error)).toMatch(/list deployments.*User "nobody-in-particular" cannot list resource "deployments"/s);
  });

  test("impersonation acts as user and groups", async () => {
    const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const body = JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" });
    const as = client.as({ user: "ada", groups: ["dev", "ops"], extra: { "example.test/scope": ["a", "b"] } });
    const review = JSON.parse(await as.raw({ method: "POST", path, body })) as { status: { userInfo: object } };
    expect(review.status.userInfo).toMatchObject({
      username: "ada",
      groups: ["dev", "ops", "system:authenticated"],
      extra: { "example.test/scope": ["a", "b"] },
    });
  });

  test("an expired token is Unauthorized, names where it comes from and when it expired, and not the token", async () => {
    const expired = await site.plane.addServiceAccount(namespace, "late", -120);
    const error = await (await site.client(expired))
      .of(ConfigMap)
      .list({ namespace })
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ reason: "Unauthorized", next: "wait" });
    expect(String(error)).toContain(`context test of ${expired.kubeconfigPath}: the token expired at 20`);
    const { credentials } = expired.definition;
    expect(String(error)).not.toContain("token" in credentials ? credentials.token.slice(0, 20) : "?");
  });

  test("a token file that was rotated is read again as soon as its old token is refused", async () => {
    const expired = await site.plane.addServiceAccount(namespace, "rotating", -120);
    const valid = await site.plane.addServiceAccount(namespace, "rotating");
    const tokenOf = ({ definition: { credentials } }: KubeUser): string =>
      "token" in credentials ? credentials.token : "";
    const folder = site.plane.coordinates.folder;
    const tokenFile = join(folder, "rotating-token");
    const config = join(folder, "rotating.kubeconfig");
    await writeFile(tokenFile, tokenOf(expired));
    await writeFile(config, expired.kubeconfig.replace(/"token": "[^"]*"/, `"tokenFile": "rotating-token"`));
    const connection = await (await loadKubeconfig(thisMachine(clock), config)).connection();
    const rotating = site.closing(connect(connection, { clock, random: systemRandom }));

    await expect(rotating.of(ConfigMap).list({ namespace })).rejects.toMatchObject({ reason: "Unauthorized" });
    await writeFile(tokenFile, tokenOf(valid));
    await expect(rotating.of(ConfigMap).list({ namespace })).rejects.toBeInstanceOf(Forbidden);
  });

  test("a wrong certificate authority is CertificateRejected, and says what to check", async () => {
    const other = createAuthority({ name: "somebody else", clock, days: 1 }).certificate;
    const text = site.plane.admin.kubeconfig.replace(
      /"certificate-authority-data": "[^"]*"/,
      `"certificate-authority-data": "${Buffer.from(other).toString("base64")}"`,
    );
    const error = await (await site.client(site.plane.admin, text))
      .of(ConfigMap)
      .list()
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ reason: "CertificateRejected" });
    expect(String(error)).toContain(`check the certificate authority`);
    expect(String(error)).toContain(`context test of ${site.plane.admin.kubeconfigPath}`);
  });

  test("what the server says of a refused Secret is not repeated", async () => {
    const secret: Secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace, name: "s" },
      data: { password: "hunter2-is-not-base64" },
    };
    const error = await client
      .of(Secret)
      .create(secret)
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ reason: "BadRequest" });
    expect(String(error)).not.toContain("hunter2");
  });
});
