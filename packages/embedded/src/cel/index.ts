export {
  type AdmissionVariables,
  evaluateMatchConditions,
  type MatchCondition,
  type MatchVerdict,
} from "./match-conditions.ts";
export { hasRules, type RuleInput, validateRules } from "./rules.ts";
