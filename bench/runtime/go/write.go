package main

import (
	"context"
	"flag"
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// write patches one ConfigMap after the other; each write carries the time just before it was sent.
func write(args []string) error {
	flags := flag.NewFlagSet("write", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "")
	objects := flags.Int("objects", 0, "how many ConfigMaps there are")
	count := flags.Int("count", 0, "how many writes")
	rate := flags.Int("rate", 0, "writes per second")
	if err := flags.Parse(args); err != nil {
		return err
	}
	client, err := clientFor(*kubeconfig, asJSON)
	if err != nil {
		return err
	}
	var lock sync.Mutex
	var roundTripsNs []int64
	start := time.Now()
	err = inParallel(*count, 16, func(index int) error {
		time.Sleep(time.Until(start.Add(time.Duration(index) * time.Second / time.Duration(*rate))))
		sentAt := monotonicNs()
		patch := fmt.Appendf(nil, `{"data":{"sentAt":"%d"}}`, sentAt)
		name := configMapName((index * 7919) % *objects)
		_, err := client.CoreV1().ConfigMaps(namespace).Patch(context.Background(), name, types.MergePatchType, patch, metav1.PatchOptions{})
		lock.Lock()
		defer lock.Unlock()
		roundTripsNs = append(roundTripsNs, monotonicNs()-sentAt)
		return err
	})
	if err != nil {
		return err
	}
	return say(map[string]any{
		"writes":  *count,
		"seconds": time.Since(start).Seconds(),
		"p50Ms":   percentileMs(roundTripsNs, 0.5),
		"p99Ms":   percentileMs(roundTripsNs, 0.99),
	})
}
