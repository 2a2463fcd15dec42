import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ENVIRONMENT } from "@chaski/runtime";
import { expect, test } from "vitest";

test("the Containerfile starts the operator as the image of `npm run image` does", () => {
  const text = readFileSync(join(import.meta.dirname, "../../Containerfile"), "utf8");
  const [, variables = ""] = /^ENV (.*)$/m.exec(text) ?? [];
  expect(variables.split(" ")).toEqual(
    expect.arrayContaining(Object.entries(ENVIRONMENT).map((each) => each.join("="))),
  );
});
