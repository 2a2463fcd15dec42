import { CustomResourceDefinition, type Kind, type KubeObject } from "@chaski/kube";
import type { Informer } from "./informer.ts";

/** A cache of definitions that is started when it is first needed. */
export interface DefinitionsOptions {
  readonly informer: (kind: Kind) => Informer<KubeObject>;
  /** The definition of the kind with this resource name has come, changed or gone. */
  readonly changed: (name: string) => void;
}

/**
 * Tells when the definition of a custom kind appears, so that nobody has to keep asking for the kind. Where we may not
 * look at definitions, it tells nothing.
 */
export class Definitions {
  readonly #options: DefinitionsOptions;
  #informer: Informer<KubeObject> | undefined;
  #running: Promise<void> | undefined;

  constructor(options: DefinitionsOptions) {
    this.#options = options;
  }

  /** Whether the kind's definition would be noticed. */
  watches({ group }: Kind): boolean {
    return isCustom(group) && this.#informer?.hasSynced === true;
  }

  lookFor(kind: Kind, signal: AbortSignal): void {
    if (this.#running || !isCustom(kind.group)) return;
    this.#informer = this.#options.informer(CustomResourceDefinition);
    this.#informer.subscribe(({ object }) => this.#options.changed(object.metadata.name));
    this.#running = this.#informer.run(signal);
  }

  async stopped(): Promise<void> {
    await this.#running;
  }
}

/** Built-in groups without a dot can't be defined by anybody. */
function isCustom(group: string): boolean {
  return group.includes(".");
}
