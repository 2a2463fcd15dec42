// What a server does in its own time: how long it takes is no part of the comparison.
import { until } from "@chaski/test/kube";
import type { Answer, Requests } from "./requests.ts";

export async function untilAnswer(api: Requests, path: string, holds: (answer: Answer) => boolean): Promise<void> {
  await until(async () => holds(await api.get(path)) || undefined, {
    what: `the awaited answer of ${path}`,
    everyMs: 5,
  });
}

/** Custom resources, right after their definition. */
export async function untilServed(api: Requests, paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => untilAnswer(api, path, ({ status }) => status === 200)));
}
