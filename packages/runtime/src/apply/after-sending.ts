import { scheduler } from "node:timers/promises";

/**
 * Resolves when what was handed to the client before has been sent: for a turn the client listens whether its idle
 * connection still stands, and only then writes. What nobody waits for is best done after that.
 */
export async function afterSending(): Promise<void> {
  await scheduler.yield();
  await scheduler.yield();
}
