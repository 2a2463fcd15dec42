// The standard label sets (§1.2).
import { releaseKeys } from "@chaski/api";
import type { App } from "./app.ts";

const { labels, OWNER_TYPE } = releaseKeys;

export type Labels = Readonly<Record<string, string>>;

/** Of what belongs to one revision. */
export function incarnationLabels({ app, target }: Pick<App, "app" | "target">, tag: string): Labels {
  return {
    app,
    "app.kubernetes.io/name": app,
    "app.kubernetes.io/version": tag,
    [labels.app]: app,
    [labels.tag]: tag,
    [labels.target]: target,
    version: tag,
  };
}

/** Of what all revisions of an app share. */
export function appLabels(app: Pick<App, "app" | "releaseManager">): Labels {
  return {
    app: app.app,
    "app.kubernetes.io/name": app.app,
    [labels.app]: app.app,
    ...ownerLabels(app),
  };
}

export function ownerLabels({ releaseManager }: Pick<App, "releaseManager">): Labels {
  return { [labels.ownerName]: releaseManager, [labels.ownerType]: OWNER_TYPE };
}

/** What Services and budgets choose an app's pods by. */
export function appSelector({ app }: Pick<App, "app">): Labels {
  return { [labels.app]: app };
}
