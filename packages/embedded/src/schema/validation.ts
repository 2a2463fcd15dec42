// What a check is made of.
import type { Cause } from "./cause.ts";
import { invalid, typeInvalid } from "./field-error.ts";
import { goQuote } from "./go-format.ts";
import type { SchemaNode } from "./schema-node.ts";

/** A value in its place. */
export interface Place {
  readonly value: unknown;
  /** The stored value that it replaces; undefined if there is none or it can't be told. */
  readonly previous: unknown;
  readonly path: string;
}

interface Problem {
  readonly cause: Cause;
  /** Tells problems apart: the same one may be found on several ways. */
  readonly text: string;
}

/** `score` counts what was right: of several alternatives the one with most is reported. */
export class Result {
  readonly problems: Problem[] = [];
  score = 0;

  add(text: string, cause: Cause): void {
    if (!this.problems.some((problem) => problem.text === text)) this.problems.push({ text, cause });
  }

  merge({ problems, score }: Result): void {
    for (const { text, cause } of problems) this.add(text, cause);
    this.score += score;
  }

  get isValid(): boolean {
    return this.problems.length === 0;
  }
}

export type Check = (schema: SchemaNode, place: Place, result: Result) => void;

export function inBody(path: string, text: string): string {
  return `${path} in body ${text}`;
}

export function field(path: string): string {
  return path === "" || path === "." ? "<nil>" : path.replace(/^\./, "");
}

export function report({ path, value }: Place, result: Result, message: string): void {
  const text = inBody(path, message);
  result.add(text, invalid(field(path), value, text));
}

export function reportType(place: Place, result: Result, expected: string, found: string): void {
  const text = inBody(place.path, `must be of type ${expected}: ${goQuote(found)}`);
  result.add(text, typeInvalid(field(place.path), found, text));
}
