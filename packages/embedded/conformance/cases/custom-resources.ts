// What a custom resource may say.
import type { ConformanceCase } from "../case.ts";
import { created, onWidgets, widget } from "./widgets.ts";

const INVALID_SPECS: Readonly<Record<string, unknown>> = {
  "a required field is missing": {},
  "a number is too small": { size: 0 },
  "a number is too large": { size: 11 },
  "a number is a string": { size: "1" },
  "a number has a fraction": { size: 1.5 },
  "a value is not in the enumeration": { size: 1, color: "blue" },
  "a text is too long and does not match": { size: 1, name: "ABCDEFG" },
  "a set has duplicates": { size: 1, tags: ["a", "a"] },
  "a list map has duplicate keys": { size: 1, ports: [{ name: "a" }, { name: "a" }] },
  "a list map lacks its key": { size: 1, ports: [{ port: 1 }] },
  "an int-or-string is a boolean": { size: 1, limit: true },
  "a list is an object": { size: 1, tags: {} },
  "the spec is a string": "text",
  "several things are wrong": { size: 99, color: "blue", tags: [1] },
};

export const customResourceCases: readonly ConformanceCase[] = [
  onWidgets("defaults are filled in", (scene, definition, path) => created(scene, definition, path, { size: 1 })),
  onWidgets("unknown fields are pruned with a warning", (scene, definition, path) =>
    created(scene, definition, path, { size: 1, unknown: { a: 1 }, extra: { kept: true } }),
  ),
  onWidgets("unknown fields are refused when strict", (scene, definition, path) =>
    scene.api.post(`${path()}?fieldValidation=Strict`, widget(definition, "one", { size: 1, unknown: 1 })),
  ),
  onWidgets("null where it is allowed and where it is not", async (scene, definition, path) => {
    await created(scene, definition, path, { size: 1, nothing: null, color: null });
    await scene.api.post(path(), widget(definition, "two", { size: 1, name: null }));
  }),
  onWidgets("the wrong kind or version in the body", async (scene, definition, path) => {
    await scene.api.post(path(), { ...widget(definition, "one", { size: 1 }), kind: "Gadget" });
    await scene.api.post(path(), { ...widget(definition, "one", { size: 1 }), apiVersion: "example.com/v9" });
  }),
  onWidgets("no kind and no version in the body", async (scene, _definition, path) => {
    await scene.api.post(path(), { metadata: { name: "one" }, spec: { size: 1 } });
  }),
  onWidgets("unknown and wrong metadata", async (scene, definition, path) => {
    await scene.api.post(path(), { ...widget(definition, "one", { size: 1 }), metadata: { name: "one", foo: 1 } });
    await scene.api.post(path(), {
      ...widget(definition, "two", { size: 1 }),
      metadata: { name: "two", labels: { a: 1 } },
    });
  }),
  ...Object.entries(INVALID_SPECS).map(([name, spec]) =>
    onWidgets(`refused: ${name}`, (scene, definition, path) => created(scene, definition, path, spec)),
  ),
];
