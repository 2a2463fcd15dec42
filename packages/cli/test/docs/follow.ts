// Does what a page says, in its order.
import { expect, vi } from "vitest";
import { type Page, shapeOf, type Typed, typedIn } from "./pages.ts";
import { ruleFor } from "./rules.ts";
import type { Ended, Shell } from "./shell.ts";

const AGAIN = { timeout: 30_000, interval: 500 };

export async function follow(page: Page, shell: Shell): Promise<void> {
  for (const typed of typedIn(page)) {
    if (ruleFor(typed.command)?.how === "again") await vi.waitFor(() => type(typed, shell), AGAIN);
    else await type(typed, shell);
  }
}

async function type({ command, shown }: Typed, shell: Shell): Promise<void> {
  const ended = await obey(command, shell);
  if (ended === undefined) return;
  const { code, output } = ended;
  expect(code, `${command}\n${output}`).toBe(0);
  expect(missingFrom(output, shown), `${command}\n${output}`).toBeUndefined();
}

function obey(command: string, shell: Shell): Promise<Ended> | undefined {
  const rule = ruleFor(command);
  switch (rule?.how) {
    case "run":
    case "again":
      return shell.run(command);
    case "shorten":
      return shell.run(`${command} ${rule.add}`);
    case "background":
      return shell.background(command, rule.until);
    case "interrupt":
      return shell.interrupt(rule.add === undefined ? command : `${command} ${rule.add}`, rule.until);
    default:
      return undefined;
  }
}

/** The first line of what is shown that was not printed, in this order. */
function missingFrom(output: string, shown: readonly string[]): string | undefined {
  const lines = output.split("\n");
  let at = 0;
  return shown.find((line) => {
    const found = lines.findIndex((each, index) => index >= at && shapeOf(line).test(each));
    at = found + 1;
    return found < 0;
  });
}
