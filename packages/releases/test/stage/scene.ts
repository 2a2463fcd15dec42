import type { FleetStage } from "./fleet-stage.ts";
import type { FleetRecorder } from "./recorder.ts";

/** An app on a fleet, and operators that come and go. */
export interface Scene {
  readonly stage: FleetStage;
  readonly recorder: FleetRecorder;
  readonly drainMs: number;
  startOperator(): Promise<unknown>;
  /** Ends every operator that was started. */
  stopOperators(): Promise<void>;
  /** What operators asked of any cluster meanwhile, as the servers tell it: `patch virtualservices echo`. */
  requestsDuring(act: () => Promise<void>): Promise<readonly string[]>;
}

/** What it costs to be there at all. */
export function isUpkeep(verb: string, path: string): boolean {
  return verb === "watch" || path.startsWith("/livez") || path.includes("/leases/");
}
