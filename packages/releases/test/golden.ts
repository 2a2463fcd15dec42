import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { stringify } from "yaml";

export const GOLDEN_FOLDER = fileURLToPath(new URL("golden", import.meta.url));

/** Holds what was built against its golden file, which is the object as YAML. */
export async function expectGolden(built: unknown, name: string): Promise<void> {
  const yaml = stringify(built, { lineWidth: 0, aliasDuplicateObjects: false });
  await expect(yaml).toMatchFileSnapshot(`${GOLDEN_FOLDER}/${name}.yaml`);
}
