import type { PathElement } from "./path-element.ts";

interface Entry {
  /** The path that ends here is in the set; otherwise only longer ones are. */
  readonly isMember: boolean;
  readonly children: FieldSet;
}

/** A set of field paths as a trie. Never changed once built; operations share what stays. */
export class FieldSet {
  static readonly empty = new FieldSet(new Map());
  readonly entries: ReadonlyMap<PathElement, Entry>;

  constructor(entries: ReadonlyMap<PathElement, Entry>) {
    this.entries = entries;
  }

  get isEmpty(): boolean {
    return this.entries.size === 0;
  }

  hasMember(element: PathElement): boolean {
    return this.entries.get(element)?.isMember === true;
  }

  childrenOf(element: PathElement): FieldSet {
    return this.entries.get(element)?.children ?? FieldSet.empty;
  }

  union(other: FieldSet): FieldSet {
    if (this === other || other.isEmpty) return this;
    if (this.isEmpty) return other;
    let result: Map<PathElement, Entry> | undefined;
    for (const [element, theirs] of other.entries) {
      const ours = this.entries.get(element);
      const joined = ours === undefined ? theirs : joinEntries(ours, theirs);
      if (joined !== ours) (result ??= new Map(this.entries)).set(element, joined);
    }
    return result === undefined ? this : new FieldSet(result);
  }

  intersection(other: FieldSet): FieldSet {
    if (this === other) return this;
    const result = new Map<PathElement, Entry>();
    for (const [element, ours] of this.entries) {
      const theirs = other.entries.get(element);
      if (theirs === undefined) continue;
      addEntry(result, element, ours.isMember && theirs.isMember, ours.children.intersection(theirs.children));
    }
    return fromEntries(result);
  }

  /** Without the other's members; what lies below a member of the other stays. */
  difference(other: FieldSet): FieldSet {
    return this.without(other, (ours, theirs) => ours.children.difference(theirs.children));
  }

  /** Without the other's members and all that lies below them. */
  recursiveDifference(other: FieldSet): FieldSet {
    return this.without(other, (ours, theirs) =>
      theirs.isMember ? FieldSet.empty : ours.children.recursiveDifference(theirs.children),
    );
  }

  private without(other: FieldSet, below: (ours: Entry, theirs: Entry) => FieldSet): FieldSet {
    if (other.isEmpty) return this;
    let result: Map<PathElement, Entry> | undefined;
    for (const [element, theirs] of other.entries) {
      const ours = this.entries.get(element);
      if (ours === undefined) continue;
      const isMember = ours.isMember && !theirs.isMember;
      const children = below(ours, theirs);
      if (isMember === ours.isMember && children === ours.children) continue;
      result ??= new Map(this.entries);
      result.delete(element);
      addEntry(result, element, isMember, children);
    }
    return result === undefined ? this : fromEntries(result);
  }

  /** Is every member of this set also one of the other? */
  isSubsetOf(other: FieldSet): boolean {
    if (this === other) return true;
    for (const [element, ours] of this.entries) {
      const theirs = other.entries.get(element);
      if (theirs === undefined) return false;
      if (ours.isMember && !theirs.isMember) return false;
      if (!ours.children.isSubsetOf(theirs.children)) return false;
    }
    return true;
  }
}

function joinEntries(ours: Entry, theirs: Entry): Entry {
  const children = ours.children.union(theirs.children);
  const isMember = ours.isMember || theirs.isMember;
  return children === ours.children && isMember === ours.isMember ? ours : { isMember, children };
}

const leaf: Entry = { isMember: true, children: FieldSet.empty };

function addEntry(entries: Map<PathElement, Entry>, element: PathElement, isMember: boolean, children: FieldSet): void {
  if (!children.isEmpty) entries.set(element, { isMember, children });
  else if (isMember) entries.set(element, leaf);
}

function fromEntries(entries: ReadonlyMap<PathElement, Entry>): FieldSet {
  return entries.size === 0 ? FieldSet.empty : new FieldSet(entries);
}

/** Collects paths into a set. */
export class FieldSetBuilder {
  #isMember = false;
  #children: Map<PathElement, FieldSetBuilder> | undefined;

  /** The empty path stands for the whole object, which nobody owns. */
  insert(path: readonly PathElement[]): void {
    if (path.length === 0) return;
    path.reduce<FieldSetBuilder>((node, element) => node.child(element), this).addSelf();
  }

  child(element: PathElement): FieldSetBuilder {
    this.#children ??= new Map();
    let child = this.#children.get(element);
    if (child === undefined) {
      child = new FieldSetBuilder();
      this.#children.set(element, child);
    }
    return child;
  }

  addSelf(): void {
    this.#isMember = true;
  }

  build(): FieldSet {
    if (this.#children === undefined) return FieldSet.empty;
    const entries = new Map<PathElement, Entry>();
    for (const [element, child] of this.#children) addEntry(entries, element, child.#isMember, child.build());
    return fromEntries(entries);
  }
}

export function fieldSet(paths: readonly (readonly PathElement[])[]): FieldSet {
  const builder = new FieldSetBuilder();
  for (const path of paths) builder.insert(path);
  return builder.build();
}
