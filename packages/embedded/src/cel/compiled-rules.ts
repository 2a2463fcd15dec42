import type { Environment } from "@marcbachmann/cel-js";
import type { CelRule, SchemaNode } from "../schema/schema-node.ts";
import { newEnvironment } from "./environment.ts";
import { compile, type Program } from "./program.ts";
import { summaryOf } from "./summary.ts";
import { type CelType, TypeReader } from "./types.ts";

export interface CompiledRule {
  readonly source: CelRule;
  /** Undefined: the rule does not compile, `error` says why. */
  readonly program?: Program;
  readonly error?: string;
  readonly message?: Program;
  readonly messageError?: string;
  readonly usesOldSelf: boolean;
}

export interface NodeRules {
  readonly type: CelType;
  readonly rules: readonly CompiledRule[];
}

/** Only nodes with rules are in it. */
export type CompiledRules = ReadonlyMap<SchemaNode, NodeRules>;

const known = new WeakMap<SchemaNode, CompiledRules>();

/** `schema` is the root of a custom resource. */
export function compiledRulesOf(schema: SchemaNode): CompiledRules {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const compiled = compileAll(schema);
  known.set(schema, compiled);
  return compiled;
}

function compileAll(root: SchemaNode): CompiledRules {
  const ruled = nodesWithRules(root);
  const compiled = new Map<SchemaNode, NodeRules>();
  if (ruled.length === 0) return compiled;
  const environment = newEnvironment();
  const reader = new TypeReader(environment);
  const types = ruled.map((node) => reader.read(node === root ? { ...root, isEmbeddedResource: true } : node));
  for (const [i, node] of ruled.entries()) {
    const type = types[i];
    if (type !== undefined) compiled.set(node, { type, rules: compileNode(environment, type, node.rules ?? []) });
  }
  return compiled;
}

function nodesWithRules(node: SchemaNode): SchemaNode[] {
  const rest = node.additionalProperties;
  const below = [...(node.properties?.values() ?? []), node.items, typeof rest === "object" ? rest : undefined];
  return [
    ...(node.rules === undefined || node.rules.length === 0 ? [] : [node]),
    ...below.flatMap((child) => (child === undefined ? [] : nodesWithRules(child))),
  ];
}

function compileNode(environment: Environment, { name }: CelType, rules: readonly CelRule[]): CompiledRule[] {
  const plain = environment.clone().registerVariable("self", name).registerVariable("oldSelf", name);
  const optional = environment.clone().registerVariable("self", name).registerVariable("oldSelf", `optional<${name}>`);
  // An empty rule says nothing; the definition that has it is refused elsewhere.
  const said = rules.filter(({ rule }) => typeof rule === "string" && rule.trim() !== "");
  return said.map((rule) => compileRule(rule.optionalOldSelf === true ? optional : plain, rule));
}

function compileRule(environment: Environment, source: CelRule): CompiledRule {
  const { program, error } = tryCompile(environment, source.rule, "bool");
  const message =
    source.messageExpression === undefined ? undefined : tryCompile(environment, source.messageExpression, "string");
  return {
    source,
    usesOldSelf: program?.variables.has("oldSelf") === true,
    ...(program === undefined ? { error: error ?? "" } : { program }),
    ...(message?.program === undefined ? {} : { message: message.program }),
    ...(message?.error === undefined ? {} : { messageError: message.error }),
  };
}

function tryCompile(environment: Environment, expression: string, type: string): { program?: Program; error?: string } {
  try {
    const program = compile(environment, expression);
    if (program.type === type || program.type === "dyn") return { program };
    return { error: `cel expression must evaluate to a ${type}` };
  } catch (error) {
    return { error: `compilation failed: ${summaryOf(error)}` };
  }
}
