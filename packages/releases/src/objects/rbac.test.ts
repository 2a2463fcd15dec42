import { test } from "vitest";
import { echoApp } from "../../test/echo.ts";
import { expectGolden } from "../../test/golden.ts";
import { buildRole, buildRoleBinding } from "./rbac.ts";

test("D-31: the role has its owner's labels", () => expectGolden(buildRole(echoApp()), "role"));

test("the binding to the app's account", () => expectGolden(buildRoleBinding(echoApp()), "role-binding"));
