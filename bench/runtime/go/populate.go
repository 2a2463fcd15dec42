package main

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"
)

// populate makes ReplicaSets of about 6 KB, half of it managedFields, and ConfigMaps of about 2.7 KB.
func populate(args []string) error {
	flags := flag.NewFlagSet("populate", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "")
	count := flags.Int("count", 0, "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	client, err := clientFor(*kubeconfig, asJSON)
	if err != nil {
		return err
	}
	ctx := context.Background()
	space := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, space, metav1.CreateOptions{}); err != nil {
		return err
	}
	return inParallel(*count, 16, func(index int) error {
		if err := createReplicaSet(ctx, client, index); err != nil {
			return err
		}
		_, err := client.CoreV1().ConfigMaps(namespace).Create(ctx, configMap(index), metav1.CreateOptions{})
		return err
	})
}

func inParallel(count, workers int, work func(index int) error) error {
	indices := make(chan int)
	errs := make(chan error, workers)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for index := range indices {
				if err := work(index); err != nil {
					select {
					case errs <- err:
					default:
					}
				}
			}
		})
	}
	for index := range count {
		indices <- index
	}
	close(indices)
	group.Wait()
	select {
	case err := <-errs:
		return err
	default:
		return nil
	}
}

// createReplicaSet also writes the status, as a second manager: a ReplicaSet in a cluster has been seen by its controller.
func createReplicaSet(ctx context.Context, client kubernetes.Interface, index int) error {
	sets := client.AppsV1().ReplicaSets(namespace)
	created, err := sets.Create(ctx, replicaSet(index), metav1.CreateOptions{FieldManager: "kube-controller-manager"})
	if err != nil {
		return err
	}
	created.Status = appsv1.ReplicaSetStatus{Replicas: 3, ReadyReplicas: 3, AvailableReplicas: 3, FullyLabeledReplicas: 3, ObservedGeneration: 1}
	_, err = sets.UpdateStatus(ctx, created, metav1.UpdateOptions{FieldManager: "kube-controller-manager"})
	return err
}

func replicaSet(index int) *appsv1.ReplicaSet {
	app := fmt.Sprintf("service-%d", index/3)
	labels := map[string]string{"app": app, "version": fmt.Sprint(index), "pod-template-hash": fmt.Sprintf("%08x", index)}
	return &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Name:   fmt.Sprintf("%s-%08x", app, index),
			Labels: labels,
			Annotations: map[string]string{
				"deployment.kubernetes.io/desired-replicas": "3",
				"deployment.kubernetes.io/max-replicas":     "4",
				"deployment.kubernetes.io/revision":         "7",
			},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "apps/v1", Kind: "Deployment", Name: app,
				UID: "0b5a3c1e-4f6d-4d0e-9f57-0d4c6f1f7a11", Controller: ptr.To(true), BlockOwnerDeletion: ptr.To(true),
			}},
		},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: ptr.To[int32](3),
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					Containers:         []corev1.Container{container(app, index)},
					ServiceAccountName: app,
					Volumes: []corev1.Volume{{Name: "config", VolumeSource: corev1.VolumeSource{
						ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: app}},
					}}},
				},
			},
		},
	}
}

func container(app string, index int) corev1.Container {
	var env []corev1.EnvVar
	for number := range 12 {
		env = append(env, corev1.EnvVar{Name: fmt.Sprintf("SETTING_%d", number), Value: fmt.Sprintf("value-%d-of-%s", number, app)})
	}
	resources := corev1.ResourceList{"cpu": resource.MustParse("250m"), "memory": resource.MustParse("256Mi")}
	probe := &corev1.Probe{
		ProbeHandler:  corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/healthz", Port: intstr.FromString("http")}},
		PeriodSeconds: 5,
	}
	return corev1.Container{
		Name:           "app",
		Image:          fmt.Sprintf("registry.example.test/%s:%d", app, index),
		Ports:          []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}, {Name: "metrics", ContainerPort: 9090}},
		Env:            env,
		Resources:      corev1.ResourceRequirements{Requests: resources, Limits: resources},
		ReadinessProbe: probe,
		LivenessProbe:  probe,
		VolumeMounts:   []corev1.VolumeMount{{Name: "config", MountPath: "/etc/config", ReadOnly: true}},
	}
}

func configMap(index int) *corev1.ConfigMap {
	data := map[string]string{"sentAt": "0"}
	for number := range 8 {
		data[fmt.Sprintf("setting-%d", number)] = strings.Repeat(fmt.Sprintf("value %d of %d; ", number, index), 13)
	}
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: configMapName(index)}, Data: data}
}

func configMapName(index int) string {
	return fmt.Sprintf("settings-%d", index)
}
