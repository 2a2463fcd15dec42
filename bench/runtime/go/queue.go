package main

import (
	"flag"
	"fmt"
	"time"

	"k8s.io/client-go/util/workqueue"
)

// queue counts how many keys per second go through client-go's rate-limiting queue: added twice (an event and its echo),
// handed out once, forgotten, done.
func queue(args []string) error {
	flags := flag.NewFlagSet("queue", flag.ExitOnError)
	keyCount := flags.Int("keys", 0, "")
	rounds := flags.Int("rounds", 0, "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	keys := make([]string, *keyCount)
	for index := range keys {
		keys[index] = fmt.Sprintf("bench/object-%d", index)
	}
	work := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	start := time.Now()
	for range *rounds {
		for _, key := range keys {
			work.Add(key)
			work.Add(key)
		}
		for range keys {
			key, _ := work.Get()
			work.Forget(key)
			work.Done(key)
		}
	}
	return say(map[string]any{"keysPerSecond": float64(*keyCount**rounds) / time.Since(start).Seconds()})
}
