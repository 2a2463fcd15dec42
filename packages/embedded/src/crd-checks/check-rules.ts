import { compiledRulesOf } from "../cel/compiled-rules.ts";
import type { Cause } from "../schema/cause.ts";
import { invalid } from "../schema/field-error.ts";
import { readSchema } from "../schema/read-structural.ts";
import type { SchemaNode } from "../schema/schema-node.ts";
import type { JsonObject } from "../schema/json.ts";

/** Rules that do not compile, or that ask for an old value where none can be told. */
export function checkRules(schema: JsonObject, path: string): Cause[] {
  const root = readSchema(schema);
  const compiled = compiledRulesOf(root);
  if (compiled.size === 0) return [];
  return visit(root, path, undefined);

  function visit(node: SchemaNode, at: string, uncorrelated: string | undefined): Cause[] {
    const rest = node.additionalProperties;
    const forItems = node.listType === "map" ? uncorrelated : (uncorrelated ?? at);
    return [
      ...judge(node, at, uncorrelated),
      ...[...(node.properties ?? [])].flatMap(([key, field]) => visit(field, `${at}.properties[${key}]`, uncorrelated)),
      ...(node.items === undefined ? [] : visit(node.items, `${at}.items`, forItems)),
      ...(typeof rest === "object" ? visit(rest, `${at}.additionalProperties`, uncorrelated) : []),
    ];
  }

  function judge(node: SchemaNode, at: string, uncorrelated: string | undefined): Cause[] {
    return (compiled.get(node)?.rules ?? []).flatMap((rule, i) => {
      const causes: Cause[] = [];
      const place = `${at}.x-kubernetes-validations[${i}]`;
      if (rule.error !== undefined) causes.push(invalid(`${place}.rule`, rule.source, rule.error));
      if (rule.messageError !== undefined) {
        causes.push(invalid(`${place}.messageExpression`, rule.source, `messageExpression ${rule.messageError}`));
      }
      if (rule.usesOldSelf && uncorrelated !== undefined) {
        const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
        causes.push(invalid(`${place}.rule`, rule.source.rule, detail));
      } else if (!rule.usesOldSelf && rule.program !== undefined && rule.source.optionalOldSelf !== undefined) {
        const detail = "may not be set if oldSelf is not used in rule";
        causes.push(invalid(`${place}.optionalOldSelf`, rule.source.optionalOldSelf, detail));
      }
      return causes;
    });
  }
}
