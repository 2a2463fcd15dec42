import { releaseKeys } from "@chaski/api";
import type { Namespace } from "@chaski/kube";
import type { AppPlan, MeshPlan } from "../plan/plan.ts";
import { type Labels, ownerLabels } from "./labels.ts";

const MESH_LABELS: Readonly<Record<MeshPlan["mode"], Labels>> = {
  sidecar: { "istio-injection": "enabled" },
  ambient: { "istio.io/dataplane-mode": "ambient", "istio.io/use-waypoint": "waypoint" },
  // Without use-waypoint although the waypoint is there: kept as it is (D-51).
  transition: { "istio-injection": "enabled", "istio.io/dataplane-mode": "ambient" },
};

/** The target namespace. Only these labels are ours; what others put there stays (D-46). */
export function buildNamespace(app: Pick<AppPlan, "namespace" | "releaseManager" | "mesh">): Namespace {
  return namespaceWith(app.namespace, { ...ownerLabels(app), ...MESH_LABELS[app.mesh.mode] });
}

/** Where the service levels of all apps are: no release owns it. */
export function buildServiceLevelsNamespace(name: string): Namespace {
  const { ownerName, ownerType } = releaseKeys.labels;
  return namespaceWith(name, { [ownerName]: "", [ownerType]: "", ...MESH_LABELS.sidecar });
}

function namespaceWith(name: string, labels: Labels): Namespace {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } };
}
