import { expect, test } from "vitest";
import { echoApp } from "../../test/echo.ts";
import { expectGolden } from "../../test/golden.ts";
import { buildServiceAccount, buildTokenSecret } from "./service-account.ts";

test("the account, with the role of its newest revision", () =>
  expectGolden(buildServiceAccount(echoApp({ roleArn: "arn:aws:iam::123:role/echo" })), "service-account"));

test("without a role there is no annotation", () => {
  expect(buildServiceAccount(echoApp()).metadata).not.toHaveProperty("annotations");
});

test("D-52: the token's data is not ours", () => expectGolden(buildTokenSecret(echoApp()), "token-secret"));
