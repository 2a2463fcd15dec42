import { test } from "vitest";
import { echoApp } from "../../test/echo.ts";
import { expectGolden } from "../../test/golden.ts";
import { buildSidecar } from "./sidecar.ts";

test("the hosts that proxies know", () => expectGolden(buildSidecar(echoApp(), ["istio-system/*", "./*"]), "sidecar"));
