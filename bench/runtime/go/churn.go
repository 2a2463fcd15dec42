package main

import (
	"context"
	"flag"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

const churned = 1000

// churn makes many events in little time: whole updates of small ConfigMaps, in the server's own encoding.
func churn(args []string) error {
	flags := flag.NewFlagSet("churn", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "")
	count := flags.Int("count", 0, "how many updates")
	if err := flags.Parse(args); err != nil {
		return err
	}
	client, err := clientFor(*kubeconfig, func(config *rest.Config) {
		config.ContentType = "application/vnd.kubernetes.protobuf"
	})
	if err != nil {
		return err
	}
	ctx := context.Background()
	maps := client.CoreV1().ConfigMaps(namespace)
	small := func(index int) *corev1.ConfigMap {
		name := fmt.Sprintf("churned-%d", index%churned)
		sentAt := fmt.Sprint(monotonicNs())
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"sentAt": sentAt}}
	}
	err = inParallel(churned, 32, func(index int) error {
		_, err := maps.Create(ctx, small(index), metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	start := time.Now()
	err = inParallel(*count, 32, func(index int) error {
		_, err := maps.Update(ctx, small(index), metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		return err
	}
	return say(map[string]any{"writes": *count, "seconds": time.Since(start).Seconds()})
}
