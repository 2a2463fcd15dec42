// Labels, annotations and finalizers of the releases wing. They are API: kept as they are, never renamed.
export const RELEASES_GROUP = "picchu.medium.engineering";

export const labels = {
  app: `${RELEASES_GROUP}/app`,
  tag: `${RELEASES_GROUP}/tag`,
  target: `${RELEASES_GROUP}/target`,
  fleet: `${RELEASES_GROUP}/fleet`,
  ownerName: `${RELEASES_GROUP}/ownerName`,
  ownerType: `${RELEASES_GROUP}/ownerType`,
  ruleType: `${RELEASES_GROUP}/ruleType`,
  /** Any value: the object is left as it is. */
  ignore: `${RELEASES_GROUP}/ignore`,
  /** On pods only; what a DestinationRule's subset selects by. */
  podTag: `tag.${RELEASES_GROUP}`,
} as const;

/** On Revisions, with an empty value: one per fleet that a target names. */
export function fleetLabel(fleet: string): string {
  return `fleet.${RELEASES_GROUP}/${fleet}`;
}

/** On Revisions: `true` once this target has no use for the Revision any more. */
export function deletableLabel(target: string): string {
  return `target-deletable.${RELEASES_GROUP}/${target}`;
}

export const annotations = {
  committerTimestamp: "git-scm.com/committer-timestamp",
  failedAt: `${RELEASES_GROUP}/failed-at-timestamp`,
  autoscaler: `${RELEASES_GROUP}/autoscaler`,
  ramping: `${RELEASES_GROUP}/ramping`,
  iamRole: "iam.amazonaws.com/role",
  roleArn: "eks.amazonaws.com/role-arn",
  doNotDisrupt: "karpenter.sh/do-not-disrupt",
  tolerateUnready: "ad.datadoghq.com/tolerate-unready",
  serviceAccountName: "kubernetes.io/service-account.name",
  terminationGracePeriod: "go.medium.engineering/PodTerminationGracePeriodSeconds",
  /** On a ReleaseManager, with the reason: nothing is promoted. A roll-back still runs. */
  paused: "chaski.dev/paused",
  /** Beside it: who asked for it, as the server knows them. */
  pausedBy: "chaski.dev/paused-by",
  /** On a ReleaseManager, a tag: schedule, canary time and delay do not hold it; capacity and evidence do. */
  promote: "chaski.dev/promote",
  /** On a ReleaseManager that carries traffic: it may be deleted all the same. */
  allowDelete: "chaski.dev/allow-delete",
  /** On a Cluster: it holds no release back while it can't be observed. */
  quarantine: "chaski.dev/quarantine",
  /** On what a person changed by the command line: why. */
  reason: "chaski.dev/reason",
  slackChannel: "chaski.dev/slack-channel",
} as const;

/** On a Revision, per target: what unknown evidence does, `hold` or `proceed`. */
export function onUnknownAnnotation(target: string): string {
  return `chaski.dev/on-unknown.${target}`;
}

/** On a Revision, per target: `autoscaler` or `replicaset`, instead of the operator's ramp mode. */
export function rampModeAnnotation(target: string): string {
  return `ramp-mode.chaski.dev/${target}`;
}

export const finalizers = {
  releaseManager: `${RELEASES_GROUP}/releasemanager`,
  cluster: `${RELEASES_GROUP}/cluster`,
  clusterSecrets: `${RELEASES_GROUP}/clustersecrets`,
} as const;

export const OWNER_TYPE = "releasemanager";
