/**
 * Fewer removals than this are ordinary work, whatever share of the owner's objects they are: an owner with two objects
 * must be able to lose one or both.
 */
const MASS_REMOVAL_MIN = 4;

/**
 * Whether a decision would remove more than half of what its owner has on a cluster. That is more often a mistake (a lost
 * label, a cache that saw too little) than a wish, and waits for a person; deleting the owner says that it is a wish.
 */
export function isMassRemoval(removals: number, owned: number): boolean {
  return removals >= MASS_REMOVAL_MIN && removals * 2 > owned;
}

export function stalledMessage(removals: number, owned: number): string {
  return `${removals} of the owner's ${owned} objects on this cluster would go in one pass: nothing is removed`;
}
