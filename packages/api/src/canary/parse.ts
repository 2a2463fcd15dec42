// From a Canary's spec, in either form, to a request that can't be wrong. The webhook, the controller and `chaski lint`
// all ask this one parser, so that they give the same answer in the same words.
import type { Problem } from "../problem.ts";
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
    fields.refuse("info", `give either info or the typed fields, not both: remove spec.${typed.join(", spec.")}, or info`);
  }
  const unknown = Object.keys(spec.info).filter((key) => !infoKeys.some((known) => known === key));
  for (const key of unknown) fields.refuse(key as "type", `unknown key; known ones are ${infoKeys.join(", ")}`);
}

function readRequest(name: string, fields: FieldReader): CanaryRequest | undefined {
  const type = fields.oneOf("type", canaryTypes);
  if (type === undefined) fields.require("type", `say what to do: ${canaryTypes.join(", ")}`);
  const common = {
    newName: fields.deploymentName("newDeploymentName") ?? name,
    deletionPolicy: fields.oneOf("deletionPolicy", deletionPolicies) ?? ("Retain" as const),
    isAutoscalerAllowed: fields.boolean("allowAutoscaler") ?? false,
  };
  switch (type) {
    case "NormalDeploy":
      return readNormal(common, fields);
    case "CanaryDeploy":
      return readBatch(common, fields);
    case "CanaryRollback":
      return readRollback(common, fields);
    case undefined:
      return undefined;
  }
}

type Common = Pick<NormalRequest, "newName" | "deletionPolicy" | "isAutoscalerAllowed">;

function readNormal(common: Common, fields: FieldReader): NormalRequest {
  const oldName = fields.deploymentName("oldDeploymentName");
  const replicas = fields.integer("replicas", { min: 0, max: REPLICAS_MAX });
  const template = fields.template();
  return {
    type: "NormalDeploy",
    ...common,
    container: readContainer(fields),
    ...(oldName === undefined || oldName === common.newName ? {} : { oldName }),
    ...(replicas === undefined ? {} : { replicas }),
    ...(template === undefined ? {} : { template }),
  };
}

function readBatch(common: Common, fields: FieldReader): BatchRequest | undefined {
  const oldName = fields.deploymentName("oldDeploymentName");
  const replicas = fields.integer("replicas", { min: 0, max: REPLICAS_MAX });
  const totalBatches = fields.integer("totalBatches", { min: 1, max: BATCHES_MAX });
  const currentBatch = fields.integer("currentBatch", { min: 1, max: BATCHES_MAX }) ?? 1;
  const container = readContainer(fields);
  const pauseType = fields.oneOf("pauseType", pauseTypes) ?? "First";
  const batchMode = fields.oneOf("batchMode", batchModes) ?? "article";
  if (oldName === undefined) fields.require("oldDeploymentName", "name the Deployment that serves now");
  if (replicas === undefined) fields.require("replicas", "say how many pods serve in total");
  if (totalBatches === undefined) fields.require("totalBatches", "say in how many batches to release");
  if (container.image === undefined) fields.require("image", "name the image to release");
  if (totalBatches !== undefined && currentBatch > totalBatches) {
    fields.refuse("currentBatch", `is ${currentBatch}, but there are ${totalBatches} batches: approve at most batch ${totalBatches}`);
  }
  if (oldName === common.newName) {
    fields.refuse("newDeploymentName", `is the same as oldDeploymentName (${oldName}): a CanaryDeploy needs two Deployments; NormalDeploy updates one in place`);
  }
  const { image } = container;
  if (oldName === undefined || replicas === undefined || totalBatches === undefined || image === undefined) return undefined;
  return { type: "CanaryDeploy", ...common, oldName, replicas, totalBatches, currentBatch, pauseType, batchMode, container: { ...container, image } };
}

function readRollback(common: Common, fields: FieldReader): RollbackRequest | undefined {
  const rollbackType = fields.oneOf("rollbackType", ["NormalDeploy", "CanaryDeploy"] as const);
  const oldName = fields.deploymentName("oldDeploymentName") ?? (rollbackType === "CanaryDeploy" ? undefined : common.newName);
  const replicas = fields.integer("replicas", { min: 0, max: REPLICAS_MAX });
  if (oldName === undefined) fields.require("oldDeploymentName", "name the Deployment to go back to");
  const isInPlace = oldName === common.newName;
  if (rollbackType === "CanaryDeploy" && isInPlace) {
    fields.refuse("rollbackType", `is CanaryDeploy, but oldDeploymentName and newDeploymentName are both ${oldName}: a CanaryDeploy has two Deployments`);
  }
  if (rollbackType === "NormalDeploy" && oldName !== undefined && !isInPlace) {
    fields.refuse("rollbackType", `is NormalDeploy, but the Deployments differ (${oldName} and ${common.newName}): a NormalDeploy has one`);
  }
  if (!isInPlace && replicas === undefined) fields.require("replicas", "say how many pods serve in total");
  if (oldName === undefined) return undefined;
  const container = readContainer(fields);
  return { type: "CanaryRollback", ...common, oldName, container, ...(replicas === undefined ? {} : { replicas }) };
}

function readContainer(fields: FieldReader): ContainerRequest {
  const image = fields.text("image");
  const cpu = fields.quantity("cpu");
  const memory = fields.quantity("memory");
  return {
    ...(image === undefined ? {} : { image }),
    ...(cpu === undefined ? {} : { cpu }),
    ...(memory === undefined ? {} : { memory }),
  };
}
