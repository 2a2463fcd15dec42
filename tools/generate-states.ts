// Writes docs/generated/release-states.md from the state table.
import { mkdirSync, writeFileSync } from "node:fs";
import { explore, renderGraph } from "../packages/releases/test/state-graph.ts";

const page = new URL("../docs/generated/release-states.md", import.meta.url);
mkdirSync(new URL(".", page), { recursive: true });
writeFileSync(page, renderGraph(explore()));
