// Our side of the queue's benchmark, the counterpart of go/queue.go.
import { RealClock } from "@chaski/clock";
import { WorkQueue } from "@chaski/runtime";

const [keyCount = 0, rounds = 0] = process.argv.slice(2).map(Number);
const keys = Array.from({ length: keyCount }, (_, index) => `bench/object-${index}`);
const clock = new RealClock();
const queue = new WorkQueue({ clock });

const startMs = clock.monotonic();
for (let round = 0; round < rounds; round++) {
  for (const key of keys) {
    queue.add(key);
    queue.add(key);
  }
  for (let taken = 0; taken < keyCount; taken++) {
    // As the controller's loop does it.
    const key = queue.take() ?? (await queue.get()) ?? "";
    queue.forget(key);
    queue.done(key);
  }
}
const seconds = (clock.monotonic() - startMs) / 1_000;
console.log(JSON.stringify({ keysPerSecond: (keyCount * rounds) / seconds }));
