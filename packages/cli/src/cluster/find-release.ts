// From what a person types to the ReleaseManagers that are meant.
import { ReleaseManager, releaseKeys, Revision } from "@chaski/api/kinds";
import type { Session } from "./cluster-options.ts";
import { didYouMean } from "../usage/did-you-mean.ts";
import { CliError, EXIT } from "../usage/exit.ts";

export interface ReleaseName {
  readonly app: string;
  readonly target?: string;
}

/** `APP` or `APP/TARGET`. */
export function parseReleaseName(text: string): ReleaseName {
  const [app = "", target, ...rest] = text.split("/");
  if (app === "" || target === "" || rest.length > 0)
    throw new CliError(`${text} is no release: say APP or APP/TARGET`, EXIT.usage);
  return target === undefined ? { app } : { app, target };
}

/** All of the app, or the one of the target; an error that helps if there is none. */
export async function findReleases(session: Session, text: string): Promise<readonly ReleaseManager[]> {
  const { app, target } = parseReleaseName(text);
  const ofApp = await releasesOf(session, app);
  const found = target === undefined ? ofApp : ofApp.filter(({ spec }) => spec.target === target);
  if (found.length > 0) return found;
  throw new CliError(await whyNot(session, { app, ...(target === undefined ? {} : { target }) }, ofApp), EXIT.notFound);
}

/** Exactly one: an app with several targets has to be told which. */
export async function findRelease(session: Session, text: string): Promise<ReleaseManager> {
  const found = await findReleases(session, text);
  const [only] = found;
  if (only && found.length === 1) return only;
  const names = found.map(({ spec }) => `${spec.app}/${spec.target}`).toSorted();
  throw new CliError(`${text} has several targets: say ${names.join(" or ")}`, EXIT.usage);
}

async function releasesOf({ client, namespace }: Session, app: string): Promise<readonly ReleaseManager[]> {
  const labelSelector = /^[\w.-]{1,63}$/.test(app) ? `${releaseKeys.labels.app}=${app}` : undefined;
  const labelled = labelSelector ? await client.of(ReleaseManager).list({ namespace, labelSelector }) : { items: [] };
  const isOfApp = ({ spec }: ReleaseManager): boolean => spec.app === app;
  const found = labelled.items.filter(isOfApp);
  // The label is the operator's; an object that lost it is still the release.
  return found.length > 0 ? found : (await client.of(ReleaseManager).list({ namespace })).items.filter(isOfApp);
}

async function whyNot(
  session: Session,
  { app, target }: ReleaseName,
  ofApp: readonly ReleaseManager[],
): Promise<string> {
  const { client, namespace } = session;
  if (target !== undefined && ofApp.length > 0) {
    const targets = ofApp.map(({ spec }) => spec.target).toSorted();
    return `${app} has no target ${target}${didYouMean(target, targets) || `; it has ${targets.join(", ")}`}`;
  }
  const { items } = await client.of(ReleaseManager).list({ namespace });
  const apps = [...new Set(items.map(({ spec }) => spec.app))];
  const meant = didYouMean(app, apps);
  if (meant) return `there is no app ${app} in namespace ${namespace}${meant}`;
  return `there is no app ${app} in namespace ${namespace}${await elsewhere(session, app, apps.length)}`;
}

/** Where else it is, if we may look. */
async function elsewhere({ client }: Session, app: string, countHere: number): Promise<string> {
  const everywhere = await client
    .of(ReleaseManager)
    .list({})
    .catch(() => ({ items: [] as ReleaseManager[] }));
  const namespaces = [
    ...new Set(everywhere.items.filter(({ spec }) => spec.app === app).map(({ metadata }) => metadata.namespace)),
  ];
  if (namespaces.length > 0) return `; there is one in ${namespaces.join(", ")}: add -n ${namespaces[0]}`;
  if (countHere > 0) return "; `chaski list` shows those that there are";
  const others = [...new Set(everywhere.items.map(({ metadata }) => metadata.namespace ?? ""))].slice(0, 3);
  return others.length > 0
    ? `; there are releases in ${others.join(", ")}: add -n ${others[0]}`
    : "; nothing was released yet";
}

export async function revisionsOf(
  { client }: Session,
  { metadata, spec }: ReleaseManager,
): Promise<readonly Revision[]> {
  const { items } = await client.of(Revision).list({ namespace: metadata.namespace ?? "" });
  return items.filter((revision) => revision.spec.app.name === spec.app);
}
