export type CauseReason =
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTypeInvalid"
  | "FieldValueNotFound"
  | "InternalError";

/** One entry of a Status' `details.causes`. The Status' own message joins `field: message` of all. */
export interface Cause {
  readonly field: string;
  readonly reason: CauseReason;
  readonly message: string;
}
