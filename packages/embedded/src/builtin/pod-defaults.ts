// The defaults of a pod's spec, in a pod and in every template of one.
import type { JsonObject } from "../schema/json.ts";
import { at, fill, objectAt, objectsAt, stringAt } from "../schema/fields.ts";

export function defaultPodSpec(spec: JsonObject): void {
  fill(spec, {
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    securityContext: {},
    schedulerName: "default-scheduler",
  });
  // The old name of the field is written along, and read when the new one is absent.
  const account = stringAt(spec, "serviceAccountName") || stringAt(spec, "serviceAccount");
  if (account !== "") Object.assign(spec, { serviceAccountName: account, serviceAccount: account });
  for (const list of ["initContainers", "containers", "ephemeralContainers"])
    for (const container of objectsAt(spec, list)) defaultContainer(container, at(spec, "hostNetwork") === true);
  for (const volume of objectsAt(spec, "volumes")) defaultVolume(volume);
}

function defaultContainer(container: JsonObject, isOnHostNetwork: boolean): void {
  fill(container, {
    imagePullPolicy: pullPolicyOf(stringAt(container, "image")),
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
  });
  for (const port of objectsAt(container, "ports")) {
    fill(port, { protocol: "TCP" });
    if (isOnHostNetwork) fill(port, { hostPort: port["containerPort"] });
  }
  for (const probe of ["livenessProbe", "readinessProbe", "startupProbe"]) defaultProbe(objectAt(container, probe));
  for (const hook of ["postStart", "preStop"]) defaultHttpGet(objectAt(container, "lifecycle", hook, "httpGet"));
  for (const variable of objectsAt(container, "env")) {
    const field = objectAt(variable, "valueFrom", "fieldRef");
    if (field) fill(field, { apiVersion: "v1" });
  }
}

/** An image without a tag, or with `latest`, may have changed since it was pulled. */
function pullPolicyOf(image: string): string {
  if (image.includes("@")) return "IfNotPresent";
  const tag = /:([^/:]+)$/.exec(image)?.[1] ?? "latest";
  return tag === "latest" ? "Always" : "IfNotPresent";
}

function defaultProbe(probe: JsonObject | undefined): void {
  if (!probe) return;
  fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  defaultHttpGet(objectAt(probe, "httpGet"));
  const grpc = objectAt(probe, "grpc");
  if (grpc) fill(grpc, { service: "" });
}

function defaultHttpGet(httpGet: JsonObject | undefined): void {
  if (httpGet) fill(httpGet, { path: "/", scheme: "HTTP" });
}

const MODE = { defaultMode: 420 };

function defaultVolume(volume: JsonObject): void {
  if (Object.keys(volume).length === 1) volume["emptyDir"] = {};
  for (const source of ["secret", "configMap", "downwardAPI", "projected"]) {
    const found = objectAt(volume, source);
    if (found) fill(found, MODE);
  }
  const hostPath = objectAt(volume, "hostPath");
  if (hostPath) fill(hostPath, { type: "" });
  for (const source of objectsAt(volume, "projected", "sources")) {
    const token = objectAt(source, "serviceAccountToken");
    if (token) fill(token, { expirationSeconds: 3_600 });
    for (const item of objectsAt(source, "downwardAPI", "items")) defaultFieldRef(item);
  }
  for (const item of objectsAt(volume, "downwardAPI", "items")) defaultFieldRef(item);
}

function defaultFieldRef(item: JsonObject): void {
  const field = objectAt(item, "fieldRef");
  if (field) fill(field, { apiVersion: "v1" });
}
