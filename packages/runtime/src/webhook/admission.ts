import type { Kind, KubeObject } from "@chaski/kube";

/** What somebody asks the API server to do, before it is done. */
export interface Admission<T extends KubeObject> {
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  /** Undefined on DELETE. */
  readonly object: T | undefined;
  /** Undefined on CREATE. */
  readonly old: T | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly user: { readonly username?: string; readonly groups?: readonly string[] };
  readonly subresource: string | undefined;
  readonly isDryRun: boolean;
  /** On DELETE, where it is told: what becomes of the objects that the deleted one owns. */
  readonly propagation: "Foreground" | "Background" | "Orphan" | undefined;
  /** Aborts when the API server no longer waits. */
  readonly signal: AbortSignal;
}

export type AdmissionVerdict =
  | { readonly isAllowed: true; readonly warnings?: readonly string[] }
  | { readonly isAllowed: false; readonly message: string; readonly warnings?: readonly string[] };

export interface Validator<T extends KubeObject> {
  readonly path: string;
  readonly kind: Kind<T>;
  validate(admission: Admission<T>): AdmissionVerdict | Promise<AdmissionVerdict>;
}

export interface Mutator<T extends KubeObject> {
  readonly path: string;
  readonly kind: Kind<T>;
  /** The object as it shall be: the same one, or another. */
  mutate(object: T, admission: Admission<T>): T | Promise<T>;
}

/** A validator or mutator of whatever kind, as the server holds it. */
export interface AdmissionHandler {
  readonly path: string;
  readonly kind: Kind;
  review(admission: Admission<KubeObject>): Promise<Reviewed>;
}

export interface Reviewed {
  readonly verdict: AdmissionVerdict;
  /** The object as it shall be, where it is another one than that which came. */
  readonly mutated?: KubeObject;
}

export function validator<T extends KubeObject>(definition: Validator<T>): AdmissionHandler {
  const { path, kind } = definition;
  return {
    path,
    kind,
    review: async (admission) => ({ verdict: await definition.validate(admission as Admission<T>) }),
  };
}

export function mutator<T extends KubeObject>(definition: Mutator<T>): AdmissionHandler {
  const { path, kind } = definition;
  return {
    path,
    kind,
    review: async (admission) => {
      const { object } = admission as Admission<T>;
      if (!object) return { verdict: { isAllowed: true } };
      return { verdict: { isAllowed: true }, mutated: await definition.mutate(object, admission as Admission<T>) };
    },
  };
}
