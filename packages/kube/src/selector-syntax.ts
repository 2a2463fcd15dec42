import { type LabelOperator, type LabelRequirement, makeRequirement } from "./requirement.ts";
import { bad, good, type Result } from "./result.ts";

const symbols = new Set(["=", "==", "!=", "!", "(", ")", ",", ">", "<"]);
const binaryOperators: ReadonlySet<string> = new Set(["=", "==", "!=", "in", "notin", ">", "<"]);
const tokenPattern = /[ \t\r\n]*(==|!=|[=!(),<>]|[^ \t\r\n=!(),<>]+|$)/y;
const end = "";

/** Everything in the text, in the order in which it was written. */
export function parseRequirements(text: string): Result<LabelRequirement[]> {
  const tokens = new Tokens(text);
  const requirements: LabelRequirement[] = [];
  while (tokens.peek() !== end) {
    const requirement = readRequirement(tokens);
    if (!requirement.ok) return requirement;
    requirements.push(requirement.value);
    const separator = tokens.next();
    if (separator === end) break;
    if (separator !== ",") return bad(`found '${separator}', expected: ',' or 'end of string'`);
    if (!tokens.isWord() && tokens.peek() !== "!")
      return bad(`found '${tokens.peek()}', expected: identifier after ','`);
  }
  return good(requirements);
}

/** The words and symbols of the text, one after the other; empty at its end. */
class Tokens {
  private readonly tokens: readonly string[];
  private position = 0;

  constructor(text: string) {
    const tokens: string[] = [];
    tokenPattern.lastIndex = 0;
    for (let match = tokenPattern.exec(text); match?.[1]; match = tokenPattern.exec(text)) tokens.push(match[1]);
    this.tokens = tokens;
  }

  peek(): string {
    return this.tokens[this.position] ?? end;
  }

  next(): string {
    const token = this.peek();
    this.position++;
    return token;
  }

  isWord(): boolean {
    return this.peek() !== end && !symbols.has(this.peek());
  }
}

function readRequirement(tokens: Tokens): Result<LabelRequirement> {
  const isNegated = tokens.peek() === "!";
  if (isNegated) tokens.next();
  if (!tokens.isWord()) return bad(`found '${tokens.peek()}', expected: identifier`);
  const key = tokens.next();
  if (isNegated) return makeRequirement(key, "!", []);
  if (tokens.peek() === end || tokens.peek() === ",") return makeRequirement(key, "exists", []);

  const operator = tokens.next();
  if (!isBinaryOperator(operator)) return bad(`found '${operator}', expected: in, notin, =, ==, !=, <, >`);
  const values = operator === "in" || operator === "notin" ? readValueList(tokens) : readOneValue(tokens);
  return values.ok ? makeRequirement(key, operator, values.value) : values;
}

function isBinaryOperator(text: string): text is LabelOperator {
  return binaryOperators.has(text);
}

/** Nothing before a comma or the end is the empty value. */
function readOneValue(tokens: Tokens): Result<string[]> {
  if (tokens.peek() === end || tokens.peek() === ",") return good([""]);
  return tokens.isWord() ? good([tokens.next()]) : bad(`found '${tokens.peek()}', expected: identifier`);
}

/** `(a,b)`; nothing between two commas or a comma and a parenthesis is the empty value. */
function readValueList(tokens: Tokens): Result<string[]> {
  const open = tokens.next();
  if (open !== "(") return bad(`found '${open}' expected: '('`);
  const values: string[] = [];
  for (;;) {
    values.push(tokens.isWord() ? tokens.next() : "");
    const separator = tokens.next();
    if (separator === ")") return good(values);
    if (separator !== ",") return bad(`found '${separator}', expected: ',' or ')'`);
  }
}
