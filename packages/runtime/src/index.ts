export type * from "./apply/applier.ts";
export { type Applied, type ApplierOptions, createApplier } from "./apply/create-applier.ts";
export type { FieldChange, ObservedChange } from "./apply/observe.ts";
export { OWNER_INDEX, ownerIndex } from "./apply/owner-index.ts";
export { MANAGED_BY_LABEL, OWNER_ANNOTATION, type Owner, ownerAnnotation, ownerOf } from "./apply/ownership.ts";
export type * from "./cache/cache.ts";
export { type CachesOptions, createCaches } from "./cache/caches.ts";
export { copyHash, withoutContent } from "./cache/copied-content.ts";
export { type ReflectorTimings } from "./cache/reflector-timings.ts";
export { type CacheFact, type CacheReport, type CacheSource } from "./cache/report.ts";
export * from "./client/index.ts";
export * from "./clusters/index.ts";
export * from "./controller/controller.ts";
export { type ControllerDependencies, ControllerLoop, type PassObserver } from "./controller/controller-loop.ts";
export { declareCaches } from "./controller/declarations.ts";
export type { Outcome } from "./controller/outcome.ts";
export type { PassRecord } from "./controller/pass.ts";
export { isSameProjection } from "./controller/projection.ts";
export { named, owned, wake } from "./controller/wake-rules.ts";
export * from "./decision/index.ts";
export type { EventSource } from "./events/event.ts";
export { type EventRecorder, QueuedRecorder, type RecorderOptions } from "./events/recorder.ts";
export {
  type Check,
  type Checks,
  type HealthOptions,
  type HealthServer,
  startHealthServer,
} from "./health/health-server.ts";
export { Election, type ElectionNews, type ElectionOptions, type ElectionTimings } from "./leader/election.ts";
export { fencedTransport } from "./leader/fenced-transport.ts";
export { type Leadership, leadershipIn, undisputed } from "./leader/leadership.ts";
export { type LeadershipOptions, leadershipInThread } from "./leader/leadership-in-thread.ts";
export { LocalStanding } from "./leader/standing.ts";
export * from "./kubeconfig/index.ts";
export { type LogFields, type Logger, silentLogger } from "./log/logger.ts";
export { pinoLogger, type LogOptions } from "./log/pino-logger.ts";
export { redactText } from "./log/redact.ts";
export {
  type Counter,
  type Gauge,
  type Histogram,
  type Labels,
  type MetricSpec,
  type Metrics,
  silentMetrics,
} from "./metrics/metrics.ts";
export { prometheusMetrics } from "./metrics/prometheus.ts";
export { createRuntime } from "./process/create-runtime.ts";
export { ENVIRONMENT } from "./process/environment.ts";
export { type OperatorOptions, runOperator } from "./process/operator.ts";
export type { Runtime, RuntimeOptions, WebhookSettings } from "./process/runtime.ts";
export { type BackoffOptions } from "./queue/backoff.ts";
export { type Rate } from "./queue/token-bucket.ts";
export { type Priority, type QueueObserver, WorkQueue, type WorkQueueOptions } from "./queue/work-queue.ts";
export { canonicalJson } from "./recording/canonical-json.ts";
export { FileRecording, type FileRecordingOptions } from "./recording/file-recording.ts";
export { MemoryRecording } from "./recording/memory-recording.ts";
export { type RecordedPass, type Recording } from "./recording/recorded-pass.ts";
export { type Replay, type ReplayDifference, replay } from "./recording/replay.ts";
export {
  type Admission,
  type AdmissionHandler,
  type AdmissionVerdict,
  type Mutator,
  mutator,
  type Validator,
  validator,
} from "./webhook/admission.ts";
export { type CaBundleTargets, injectCaBundle } from "./webhook/ca-bundle.ts";
export { fileCertificates, type ServingCertificate, type ServingCertificates } from "./webhook/certificates.ts";
export { type SecretCertificatesOptions, secretCertificates } from "./webhook/secret-certificates.ts";
export { startWebhookServer, type WebhookOptions, type WebhookServer } from "./webhook/webhook-server.ts";
