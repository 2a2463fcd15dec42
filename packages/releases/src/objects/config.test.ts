import { describe, expect, test } from "vitest";
import { configSource, echoApp, TAG } from "../../test/echo.ts";
import { expectGolden } from "../../test/golden.ts";
import { applyConfig, buildConfig } from "./config.ts";

test("an ExternalSecret: its spec, with the labels of the tag that chose it", () => {
  const spec = { secretStoreRef: { name: "vault", kind: "SecretStore" }, dataFrom: [{ extract: { key: "echo" } }] };
  const source = configSource("ExternalSecret", "vault", { spec, labels: { team: "echo" } });
  return expectGolden(buildConfig(echoApp(), { source, tag: TAG }), "external-secret");
});

describe("a Secret", () => {
  const source = configSource("Secret", "credentials");
  const entry = applyConfig(echoApp(), { source, tag: TAG });

  test("its content is copied by the applier, from where it was chosen", () => {
    expect(entry.copyOf).toMatchObject({ ref: { namespace: "picchu", name: "credentials" }, hash: source.hash });
    expect(entry.ref).toMatchObject({ namespace: "echo-production", name: "credentials" });
  });

  test("is nothing but a name and labels here", () => expectGolden(entry.object, "config-copy"));
});
