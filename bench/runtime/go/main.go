// The anchor of the runtime's benchmarks: client-go's informer and work queue, and the load that both sides meet.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const namespace = "bench"

func main() {
	if len(os.Args) < 2 {
		fail(fmt.Errorf("usage: anchor populate|write|churn|informer|queue …"))
	}
	commands := map[string]func([]string) error{
		"populate": populate,
		"write":    write,
		"churn":    churn,
		"informer": informer,
		"queue":    queue,
	}
	command, ok := commands[os.Args[1]]
	if !ok {
		fail(fmt.Errorf("unknown command %q", os.Args[1]))
	}
	if err := command(os.Args[2:]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func clientFor(kubeconfig string, adapt func(*rest.Config)) (*kubernetes.Clientset, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	adapt(config)
	return kubernetes.NewForConfig(config)
}

func asJSON(config *rest.Config) {
	config.ContentType = "application/json"
	config.AcceptContentTypes = "application/json"
}

// say prints one line of JSON, which is how the harness hears from every process.
func say(value any) error {
	return json.NewEncoder(os.Stdout).Encode(value)
}

// monotonicNs is the machine's clock that all processes share.
func monotonicNs() int64 {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		fail(err)
	}
	return now.Nano()
}

func percentileMs(samples []int64, share float64) float64 {
	if len(samples) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(samples))
	index := min(int(share*float64(len(sorted))), len(sorted)-1)
	return float64(sorted[index]) / 1e6
}
