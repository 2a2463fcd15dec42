import type { Environment } from "@marcbachmann/cel-js";
import { equalValues } from "./equality.ts";

/** An expression that ran for too long. */
export class CostError extends Error {
  override readonly name = "CostError";
}

/** Counts evaluated nodes; what one evaluation may use, and what is left for all. */
export class Budget {
  left: number;

  constructor(left: number) {
    this.left = left;
  }
}

const stepsMaxPerCall = 1_000_000;

export interface Program {
  readonly type: string;
  readonly variables: ReadonlySet<string>;
  /** Throws CostError, or whatever the evaluation failed by. */
  readonly run: (variables: Record<string, unknown>, budget: Budget) => unknown;
}

/** As the interpreter has it, as far as it is touched here. */
interface Node {
  readonly op: string;
  args: unknown;
  readonly meta: { macro?: unknown; alternate?: Node };
  setMeta: (key: string, value: unknown) => Node;
  evaluate: (evaluator: Evaluator, node: Node, context: unknown) => unknown;
  /** Set once operands are checked. */
  handle?: (left: unknown, right: unknown, ...rest: unknown[]) => unknown;
}

interface Evaluator {
  run: (node: Node, context: unknown) => unknown;
  debugType: (value: unknown) => { fieldLazy: (...args: unknown[]) => unknown };
}

interface Checker {
  check: (node: Node, context: unknown) => unknown;
  getType: (name: string) => unknown;
  createError: (code: string, message: string, node: Node) => Error;
}

/** Throws what is wrong with the expression. */
export function compile(environment: Environment, expression: string): Program {
  const parsed = environment.parse(expression);
  const nodes = [...nodesOf(parsed.ast)];
  for (const node of nodes) adapt(node);
  const checked = parsed.check();
  if (!checked.valid) throw checked.error;
  const meter: Meter = { left: 0 };
  for (const node of nodes) {
    if (node.op === "==" || node.op === "!=") compareUnordered(node);
    countSteps(node, meter);
    countSizes(node, meter);
  }
  const variables = new Set(nodes.filter(({ op }) => op === "id").map(({ args }) => String(args)));
  const run = (values: Record<string, unknown>, budget: Budget) => {
    const allowed = Math.min(stepsMaxPerCall, budget.left);
    meter.left = allowed;
    try {
      const result: unknown = parsed(values);
      spend(meter, 0);
      return result;
    } finally {
      budget.left -= allowed - Math.max(meter.left, 0);
    }
  };
  return { type: checked.type ?? "dyn", variables, run };
}

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const item of value) yield* nodesOf(item);
  } else if (isNode(value)) {
    yield value;
    yield* nodesOf(value.args);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "op" in value && "setMeta" in value;
}

/** Where the interpreter differs from the server's. */
function adapt(node: Node): void {
  if (node.op === "id" && node.args === "cel") throw new Error("undeclared reference to 'cel' (in container '')");
  if (node.op === "rcall" && Array.isArray(node.args) && node.args[0] === "matches") node.args[0] = "matchesSafely";
  if (node.op === "call" && Array.isArray(node.args) && node.args[0] === "has" && node.meta.macro !== undefined) {
    const [, [field]] = node.args as [string, [Node]];
    node.setMeta("macro", { field, typeCheck: checkHas, evaluate: evaluateHas, async: false });
  }
}

interface HasMacro {
  readonly field: Node;
}

function checkHas(checker: Checker, { field }: HasMacro, context: unknown): unknown {
  if (field.op !== ".") throw checker.createError("invalid_macro_argument", "invalid argument to has() macro", field);
  checker.check(field, context);
  return checker.getType("bool");
}

function evaluateHas(evaluator: Evaluator, { field }: HasMacro, context: unknown): boolean {
  const [of, name] = field.args as [Node, string];
  const object = evaluator.run(of, context);
  return evaluator.debugType(object).fieldLazy(object, name, field, evaluator) !== undefined;
}

/** Lists of type set and map are equal in any order, wherever they are. */
function compareUnordered(node: Node): void {
  const { handle } = node;
  if (handle === undefined) return;
  node.handle = (left, right, ...rest) => {
    if (!isCollection(left) || !isCollection(right)) return handle(left, right, ...rest);
    return equalValues(left, right) === (node.op === "==");
  };
}

function isCollection(value: unknown): boolean {
  return Array.isArray(value) || value instanceof Map;
}

const sized = new Set(["call", "rcall", "==", "!=", "in", "+"]);

/** Functions and operators take as long as their operands are large. */
function countSizes(node: Node, meter: Meter): void {
  const { handle } = node;
  if (handle === undefined || !sized.has(node.op)) return;
  const isCall = node.op === "call" || node.op === "rcall";
  node.handle = (left, right, ...rest) => {
    const operands = isCall ? (left as readonly unknown[]) : [left, right];
    spend(meter, Math.ceil(operands.reduce<number>((sum, operand) => sum + sizeOf(operand), 0) / 10));
    return handle(left, right, ...rest);
  };
}

function sizeOf(value: unknown): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  return value instanceof Map ? value.size : 0;
}

interface Meter {
  left: number;
}

function spend(meter: Meter, steps: number): void {
  meter.left -= steps;
  if (meter.left < 0) throw new CostError("operation cancelled: actual cost limit exceeded");
}

function countSteps(node: Node, meter: Meter): void {
  let { evaluate } = node;
  const counted: Node["evaluate"] = (...args) => {
    spend(meter, 1);
    return evaluate.apply(node, args);
  };
  // A node replaces its own method when it is first evaluated.
  Object.defineProperty(node, "evaluate", {
    get: () => counted,
    set: (replacement: Node["evaluate"]) => {
      evaluate = replacement;
    },
  });
  // Loops such as all() go on after an error, so they have to be ended where they look for their next item.
  const loop = node.meta.alternate?.args as { condition?: (value: unknown) => boolean } | undefined;
  if (loop?.condition === undefined) return;
  const { condition } = loop;
  loop.condition = (value) => {
    spend(meter, 0);
    return condition(value);
  };
}
