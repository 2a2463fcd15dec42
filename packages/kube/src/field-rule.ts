/** How one field is compared where plain JSON equality would be wrong. */
export interface FieldRule {
  /** A map of names that users choose: empty is the same as absent. An empty structure is not (`emptyDir: {}`). */
  readonly map?: true;
  /** A map that belongs as a whole to who sets it: what else is in there was put there by someone else. */
  readonly whole?: true;
  /** The value, or each value of the map, is a quantity. Servers round amounts of resources up to a thousandth. */
  readonly quantity?: "nano" | "milli";
  /** A list without order, whose values are owned one by one. */
  readonly set?: true;
  /** A list whose items are known by these fields, in no order. */
  readonly keys?: readonly string[];
  /** What the server puts for an absent key field. */
  readonly keyDefaults?: Readonly<Record<string, unknown>>;
  /** Whose rules hold below: in the object, in each item, in each value. */
  readonly type?: string;
}

/** By type, then by field. A type or field that is not named has no rule. */
export type FieldRules = Readonly<Record<string, Readonly<Record<string, FieldRule>>>>;
