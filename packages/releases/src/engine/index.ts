// What proofs and tools look at beyond the decision itself.
export { type Facts, type Rule, stateTable, step } from "./state-table.ts";
export { type State, states } from "./states.ts";
