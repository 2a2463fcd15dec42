export {
  type AdmissionVariables,
  checkMatchCondition,
  evaluateMatchConditions,
  type MatchCondition,
  type MatchVerdict,
} from "./match-conditions.ts";
export { type RuleInput, validateRules } from "./rules.ts";
