package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// informer fills a cache, says when it has synced, and measures how late updates arrive. It says when it is loaded, hears
// the lines `start`, `reset`, `report` and `collect`, and ends with its standard input.
func informer(args []string) error {
	flags := flag.NewFlagSet("informer", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "")
	kind := flags.String("kind", "", "ReplicaSet or ConfigMap")
	content := flags.String("content", "", "json, or default: what client-go chooses")
	if err := flags.Parse(args); err != nil {
		return err
	}
	client, err := clientFor(*kubeconfig, func(config *rest.Config) {
		if *content == "json" {
			asJSON(config)
		}
	})
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	var shared cache.SharedIndexInformer
	switch *kind {
	case "ReplicaSet":
		shared = factory.Apps().V1().ReplicaSets().Informer()
	case "ConfigMap":
		shared = factory.Core().V1().ConfigMaps().Informer()
	default:
		return fmt.Errorf("unknown kind %q", *kind)
	}
	latencies := &latencies{}
	registration, err := shared.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, updated any) {
		if settings, ok := updated.(*corev1.ConfigMap); ok {
			latencies.observe(settings.Data["sentAt"])
		}
	}})
	if err != nil {
		return err
	}
	if err := say(map[string]any{"isLoaded": true}); err != nil {
		return err
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		switch lines.Text() {
		case "start":
			err = say(syncCache(factory, shared, registration))
		case "report":
			err = say(latencies.report())
		case "collect":
			debug.FreeOSMemory()
			err = say(map[string]any{"isCollected": true})
		case "reset":
			latencies.reset()
		}
		if err != nil {
			return err
		}
	}
	return lines.Err()
}

func syncCache(factory informers.SharedInformerFactory, shared cache.SharedIndexInformer, registration cache.ResourceEventHandlerRegistration) map[string]any {
	startNs := monotonicNs()
	factory.Start(make(chan struct{}))
	// Handlers have seen everything; asked often enough not to add to the time.
	for !registration.HasSynced() {
		time.Sleep(time.Millisecond)
	}
	return map[string]any{"syncedMs": float64(monotonicNs()-startNs) / 1e6, "objects": len(shared.GetStore().ListKeys())}
}

// latencies keeps the last samples only, so that a long run costs no memory.
type latencies struct {
	lock    sync.Mutex
	samples [1 << 14]int64
	events  int
}

func (l *latencies) observe(sentAt string) {
	sentAtNs, err := strconv.ParseInt(sentAt, 10, 64)
	if err != nil {
		return
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	l.samples[l.events%len(l.samples)] = monotonicNs() - sentAtNs
	l.events++
}

func (l *latencies) reset() {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.events = 0
}

func (l *latencies) report() map[string]any {
	l.lock.Lock()
	defer l.lock.Unlock()
	kept := l.samples[:min(l.events, len(l.samples))]
	return map[string]any{"events": l.events, "p50Ms": percentileMs(kept, 0.5), "p99Ms": percentileMs(kept, 0.99)}
}
