// Every command: what it is for, and where it is.
import type { Command } from "commander";
import type { Finish } from "./usage/exit.ts";

export type AddCommand = (program: Command, finish: Finish) => void;

export interface CommandEntry {
  readonly group: string;
  readonly about: string;
  readonly load: () => Promise<AddCommand>;
}

const LOOK = "Look:";
const ACT = "Act:";
const RUN = "Run:";
const HELP = "Help:";

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  up: {
    group: RUN,
    about: "a fleet in this process, the operator on it, and a demo to watch",
    load: async () => (await import("./commands/up.ts")).addUp,
  },
  list: {
    group: LOOK,
    about: "every release: state, traffic, what it waits for",
    load: async () => (await import("./commands/list.ts")).addList,
  },
  get: {
    group: LOOK,
    about: "one app: revisions, clusters, pods, gates",
    load: async () => (await import("./commands/get.ts")).addGet,
  },
  watch: { group: LOOK, about: "the same, live", load: async () => (await import("./commands/watch.ts")).addWatch },
  why: {
    group: LOOK,
    about: "what a release waits for, and what would help",
    load: async () => (await import("./commands/why.ts")).addWhy,
  },
  fail: {
    group: ACT,
    about: "mark a revision as bad, everywhere",
    load: async () => (await import("./commands/fail.ts")).addFail,
  },
  rollback: {
    group: ACT,
    about: "fail what serves, and let the one before take over",
    load: async () => (await import("./commands/fail.ts")).addRollback,
  },
  promote: {
    group: ACT,
    about: "do not wait for schedule, canary time and delay",
    load: async () => (await import("./commands/promote.ts")).addPromote,
  },
  pause: {
    group: ACT,
    about: "promote nothing until resumed",
    load: async () => (await import("./commands/pause.ts")).addPause,
  },
  resume: { group: ACT, about: "end a pause", load: async () => (await import("./commands/pause.ts")).addResume },
  canary: {
    group: ACT,
    about: "approve, retreat, roll back or show a Canary",
    load: async () => (await import("./commands/canary.ts")).addCanary,
  },
  clusters: {
    group: ACT,
    about: "the fleet: status, join, quarantine, sweep",
    load: async () => (await import("./commands/clusters.ts")).addClusters,
  },
  doctor: {
    group: HELP,
    about: "what is wrong with this installation, and the fix",
    load: async () => (await import("./commands/doctor.ts")).addDoctor,
  },
  lint: {
    group: HELP,
    about: "check manifests as the admission webhook would",
    load: async () => (await import("./commands/lint.ts")).addLint,
  },
  install: {
    group: RUN,
    about: "print the manifests that install the operator",
    load: async () => (await import("./commands/install.ts")).addInstall,
  },
  uninstall: {
    group: RUN,
    about: "remove the operator and leave the workloads running",
    load: async () => (await import("./commands/uninstall.ts")).addUninstall,
  },
  operator: {
    group: RUN,
    about: "run the operator",
    load: async () => (await import("./commands/operator.ts")).addOperator,
  },
  apiserver: {
    group: RUN,
    about: "serve a Kubernetes API from this process, in memory",
    load: async () => (await import("./commands/apiserver.ts")).addApiserver,
  },
  completion: {
    group: HELP,
    about: "a script that completes commands and names in your shell",
    load: async () => (await import("./commands/completion.ts")).addCompletion,
  },
  version: {
    group: HELP,
    about: "the version of this program",
    load: async () => (await import("./commands/version.ts")).addVersion,
  },
};
