/**
 * Nobody reads any more (`| head` has enough, the terminal is closed): that is no fault of ours. What waits for an
 * interruption is interrupted, so that it puts away what it began; anything else just ends.
 */
export function endWithoutReader(): void {
  let hasEnded = false;
  const onError = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    if (!process.emit("SIGINT")) process.exit(0);
  };
  for (const stream of [process.stdout, process.stderr]) stream.on("error", onError);
}
