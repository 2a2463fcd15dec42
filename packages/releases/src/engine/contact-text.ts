import type { Contact } from "./world.ts";

export function contactText({ state, cause = "nothing heard from it" }: Contact): string {
  return `${state}: ${cause}`;
}
