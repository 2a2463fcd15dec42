/** What stands before the dot in `sets.contains(…)`: a value whose type carries the functions. */
export abstract class Namespace {
  readonly isNamespace = true;
}
