import type { ClusterSpec } from "@chaski/api";
import type { ReleaseFlags } from "../plan/flags.ts";
import type { App } from "./app.ts";
import type { HttpRoute } from "./http-route.ts";

type DevFlags = Pick<ReleaseFlags, "devRoutesServiceHost" | "devRoutesServicePort">;

/** Sends requests that name a developer's build in a header to the service that knows those; none where it is off. */
export function buildDevRoute(app: App, cluster: ClusterSpec, flags: DevFlags): readonly HttpRoute[] {
  const { devRoutesServiceHost: host, devRoutesServicePort: port } = flags;
  if (!cluster.enableDevRoutes || host === "" || port <= 0) return [];
  const header = renderTemplate(cluster.devRouteTagTemplate ?? "", app);
  if (!header) return [];
  return [
    {
      name: `00_dev-${app.app}`,
      match: [{ headers: { [header]: { regex: "(.+)" } } }],
      route: [{ destination: { host, port: { number: port } }, weight: 100 }],
    },
  ];
}

/** A Go template of plain fields, as text (D-58); undefined where it asks for what there is not. */
function renderTemplate(template: string, { app, target, fleet, namespace }: App): string | undefined {
  const fields = new Map(Object.entries({ App: app, Target: target, Fleet: fleet, Namespace: namespace }));
  const rendered = template.replaceAll(
    /\{\{\s*\.(\w+)\s*\}\}/g,
    (action, field: string) => fields.get(field) ?? action,
  );
  return rendered.includes("{{") ? undefined : rendered;
}
