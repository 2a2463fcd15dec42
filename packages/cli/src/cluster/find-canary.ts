import { Canary } from "@chaski/api/kinds";
import { NotFound } from "@chaski/runtime/connect";
import type { Session } from "./cluster-options.ts";
import { didYouMean } from "../usage/did-you-mean.ts";
import { CliError, EXIT } from "../usage/exit.ts";

const WORDS = ["canary", "canaries", "can"];

/** The name in `canary/NAME`; undefined for anything else. */
export function canaryNameIn(text: string): string | undefined {
  const [word = "", name] = text.split("/");
  return name && WORDS.includes(word) ? name : undefined;
}

export async function findCanary({ client, namespace }: Session, name: string): Promise<Canary> {
  try {
    return await client.of(Canary).get({ namespace, name });
  } catch (error) {
    if (!(error instanceof NotFound) || error.isKindMissing) throw error;
    const { items } = await client.of(Canary).list({ namespace });
    const names = items.map(({ metadata }) => metadata.name);
    const there = names.length === 0 ? "; there are none" : `; there are ${names.slice(0, 10).join(", ")}`;
    throw new CliError(
      `there is no Canary ${name} in namespace ${namespace}${didYouMean(name, names) || there}`,
      EXIT.notFound,
    );
  }
}
