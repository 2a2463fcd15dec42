// From a Canary's spec, in either form, to a request that can't be wrong. The webhook, the controller and `chaski lint`
// all ask this one parser, so that they give the same answer in the same words.
import { defined } from "@chaski/kube";
import type { Problem } from "../schema/problem.ts";
import {
  BATCHES_MAX,
  batchModes,
  type CanarySpec,
  canaryTypes,
  deletionPolicies,
  infoKeys,
  pauseTypes,
  REPLICAS_MAX,
} from "./canary.ts";
import { FieldReader } from "./field-reader.ts";
import type { BatchRequest, CanaryRequest, ContainerRequest, NormalRequest, RollbackRequest } from "./request.ts";

export type Parsed =
  | { readonly isValid: true; readonly request: CanaryRequest }
  | { readonly isValid: false; readonly problems: readonly Problem[] };

export function parseCanary(name: string, spec: CanarySpec): Parsed {
  const fields = new FieldReader(spec);
  refuseBothForms(fields, spec);
  const request = readRequest(name, fields);
  return fields.problems.length > 0 || request === undefined
    ? { isValid: false, problems: fields.problems }
    : { isValid: true, request };
}

function refuseBothForms(fields: FieldReader, spec: CanarySpec): void {
  if (spec.info === undefined) return;
  const typed = [...infoKeys, "template" as const].filter((key) => spec[key] !== undefined);
  if (typed.length > 0) {
    fields.refuse("", `give either info or the typed fields, not both: remove spec.${typed.join(", spec.")}, or info`);
  }
  const unknown = Object.keys(spec.info).filter((key) => !infoKeys.some((known) => known === key));
  for (const key of unknown) fields.refuse(key, `unknown key; known ones are ${infoKeys.join(", ")}`);
}

type Common = Pick<NormalRequest, "newName" | "deletionPolicy" | "isAutoscalerAllowed">;

function readRequest(name: string, fields: FieldReader): CanaryRequest | undefined {
  const common: Common = {
    newName: fields.deploymentName("newDeploymentName") ?? name,
    deletionPolicy: fields.oneOf("deletionPolicy", deletionPolicies) ?? "Retain",
    isAutoscalerAllowed: fields.boolean("allowAutoscaler") ?? false,
  };
  const type = fields.oneOf("type", canaryTypes);
  switch (type) {
    case "NormalDeploy":
      return readNormal(common, fields);
    case "CanaryDeploy":
      return readBatch(common, fields);
    case "CanaryRollback":
      return readRollback(common, fields);
    case undefined:
      fields.require("type", `say what to do: ${canaryTypes.join(", ")}`);
      return undefined;
  }
}

function readNormal(common: Common, fields: FieldReader): NormalRequest {
  const oldName = fields.deploymentName("oldDeploymentName");
  return defined({
    type: "NormalDeploy" as const,
    ...common,
    container: readContainer(fields),
    oldName: oldName === common.newName ? undefined : oldName,
    replicas: readReplicas(fields),
    template: fields.template(),
  });
}

function readBatch(common: Common, fields: FieldReader): BatchRequest | undefined {
  const container = readContainer(fields);
  const required = {
    oldName: fields.required(
      fields.deploymentName("oldDeploymentName"),
      "oldDeploymentName",
      "name the Deployment that serves now",
    ),
    replicas: fields.required(readReplicas(fields), "replicas", "say how many pods serve in total"),
    totalBatches: fields.required(
      readBatchNumber(fields, "totalBatches"),
      "totalBatches",
      "say in how many batches to release",
    ),
    image: fields.required(container.image, "image", "name the image to release"),
  };
  const options = {
    currentBatch: readBatchNumber(fields, "currentBatch") ?? 1,
    pauseType: fields.oneOf("pauseType", pauseTypes) ?? "First",
    batchMode: fields.oneOf("batchMode", batchModes) ?? "article",
  } as const;
  refuseContradictions(fields, common, { ...required, ...options });
  const { image, ...rest } = required;
  if (!isComplete(rest) || image === undefined) return undefined;
  return { type: "CanaryDeploy", ...common, ...options, ...rest, container: { ...container, image } };
}

function isComplete<T extends object>(fields: T): fields is { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.values(fields).every((value) => value !== undefined);
}

interface BatchFields {
  readonly oldName: string | undefined;
  readonly totalBatches: number | undefined;
  readonly currentBatch: number;
}

function refuseContradictions(fields: FieldReader, { newName }: Common, batch: BatchFields): void {
  const { oldName, totalBatches, currentBatch } = batch;
  // Never clamped: a typo of 20 would approve everything.
  if (totalBatches !== undefined && currentBatch > totalBatches) {
    fields.refuse(
      "currentBatch",
      `is ${currentBatch}, but there are ${totalBatches} batches: approve at most batch ${totalBatches}`,
    );
  }
  if (oldName === newName) {
    const way = "a CanaryDeploy needs two Deployments; NormalDeploy updates one in place";
    fields.refuse("newDeploymentName", `is the same as oldDeploymentName (${oldName}): ${way}`);
  }
}

function readRollback(common: Common, fields: FieldReader): RollbackRequest | undefined {
  const rollbackType = fields.oneOf("rollbackType", ["NormalDeploy", "CanaryDeploy"]);
  const given = fields.deploymentName("oldDeploymentName");
  const isOfPair = rollbackType === "CanaryDeploy" || (given !== undefined && given !== common.newName);
  const oldName = isOfPair
    ? fields.required(given, "oldDeploymentName", "name the Deployment to go back to")
    : common.newName;
  const replicas = readReplicas(fields);
  if (isOfPair) fields.required(replicas, "replicas", "say how many pods serve in total");
  if (oldName === undefined) return undefined;
  refuseWrongRollbackType(fields, rollbackType, oldName, common.newName);
  return defined({ type: "CanaryRollback" as const, ...common, oldName, container: readContainer(fields), replicas });
}

function refuseWrongRollbackType(
  fields: FieldReader,
  type: string | undefined,
  oldName: string,
  newName: string,
): void {
  if (type === "CanaryDeploy" && oldName === newName) {
    const message = `is CanaryDeploy, but oldDeploymentName and newDeploymentName are both ${oldName}: a CanaryDeploy has two Deployments`;
    fields.refuse("rollbackType", message);
  }
  if (type === "NormalDeploy" && oldName !== newName) {
    fields.refuse(
      "rollbackType",
      `is NormalDeploy, but the Deployments differ (${oldName} and ${newName}): a NormalDeploy has one`,
    );
  }
}

function readContainer(fields: FieldReader): ContainerRequest {
  return defined({ image: fields.text("image"), cpu: fields.quantity("cpu"), memory: fields.quantity("memory") });
}

function readReplicas(fields: FieldReader): number | undefined {
  return fields.integer("replicas", { min: 0, max: REPLICAS_MAX });
}

function readBatchNumber(fields: FieldReader, field: "totalBatches" | "currentBatch"): number | undefined {
  return fields.integer(field, { min: 1, max: BATCHES_MAX });
}
