import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { KubeObject } from "@chaski/kube";
import { expect } from "vitest";
import { parse, stringify } from "yaml";

export const GOLDEN_FOLDER = fileURLToPath(new URL("golden", import.meta.url));

/** Holds what was built against its golden file, which is the object as YAML. */
export async function expectGolden(built: unknown, name: string): Promise<void> {
  const yaml = stringify(built, { lineWidth: 0, aliasDuplicateObjects: false });
  await expect(yaml).toMatchFileSnapshot(`${GOLDEN_FOLDER}/${name}.yaml`);
}

export function goldenObjects(): readonly { readonly file: string; readonly object: KubeObject }[] {
  const files = readdirSync(GOLDEN_FOLDER).toSorted();
  return files.map((file) => ({ file, object: parse(readFileSync(join(GOLDEN_FOLDER, file), "utf8")) as KubeObject }));
}
