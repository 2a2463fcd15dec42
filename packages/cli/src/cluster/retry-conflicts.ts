import { Conflict } from "@chaski/runtime/connect";

const TRIES = 5;

/** Reads and writes again while somebody else was faster. */
export async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Conflict) || tries === TRIES) throw error;
    }
  }
}
