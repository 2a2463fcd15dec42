// `doctor`: what is wrong with this installation, each finding with its fix.
import { RealClock, systemRandom } from "@chaski/clock";
import { defined } from "@chaski/kube";
import { type Client, connect, defaultConnection, thisMachine } from "@chaski/runtime";
import type { Command } from "commander";
import { type ClusterOptions, type Session, withClusterOptions, withOutput } from "../cluster-options.ts";
import { ServerTime, versionFinding } from "../doctor/connection.ts";
import { definitionFindings } from "../doctor/definitions.ts";
import { failed, type Finding, warning } from "../doctor/finding.ts";
import { leaseFinding } from "../doctor/lease.ts";
import { rightsFinding } from "../doctor/rights.ts";
import { webhookFindings } from "../doctor/webhooks.ts";
import { EXIT, type Finish } from "../exit.ts";
import { explanationOf } from "../explain.ts";
import { columnsOf, print } from "../screen.ts";
import { askClusters } from "../target-clusters.ts";
import { drawFindings } from "../views/findings.ts";

const DELIVERY = "delivery cluster";

export function addDoctor(program: Command, finish: Finish): void {
  const command = program
    .command("doctor")
    .description(
      "Look for what is wrong: connection, clock, rights, CRDs, webhooks, the operator, every cluster. Exit code 1 if something is broken.",
    );
  withOutput(withClusterOptions(command), "json prints the findings").action(async (options: ClusterOptions) => {
    const clock = new RealClock();
    const findings = await examine(options, clock);
    if (options.output === "json") console.log(JSON.stringify(findings, null, 2));
    else print(drawFindings(findings, { columns: columnsOf(process.stdout), nowMs: clock.now() }));
    finish(findings.some(({ verdict }) => verdict === "failed") ? EXIT.failed : EXIT.ok);
  });
}

async function examine(options: ClusterOptions, clock: RealClock): Promise<readonly Finding[]> {
  const { kubeconfig: path, context, namespace } = options;
  const connection = await defaultConnection(thisMachine(clock), defined({ path, context }));
  const time = new ServerTime();
  const wrapTransport = (transport: Parameters<ServerTime["wrap"]>[0]) => time.wrap(transport, clock);
  const client = connect(connection, { clock, random: systemRandom, wrapTransport });
  try {
    const version = await versionFinding(client, DELIVERY);
    const session = { client, clock, connection, namespace: namespace ?? connection.namespace ?? "default" };
    return [version, ...time.finding(DELIVERY), ...(await installation(client, clock)), ...(await fleet(session))];
  } catch (error) {
    const { message } = explanationOf(error);
    return [failed(DELIVERY, message, "nothing else can be looked at before that works")];
  } finally {
    await client.close();
  }
}

/** A check that itself can't be made is a finding, and keeps the others from nothing. */
async function installation(client: Client, clock: RealClock): Promise<readonly Finding[]> {
  const checks: Readonly<Record<string, () => Promise<Finding | readonly Finding[]>>> = {
    CRDs: () => definitionFindings(client),
    rights: () => rightsFinding(client),
    webhooks: () => webhookFindings(client),
    operator: () => leaseFinding(client, clock.now()),
  };
  const findings = await Promise.all(
    Object.entries(checks).map(([subject, check]) =>
      check().catch((error: unknown) => warning(subject, "could not be looked at", explanationOf(error).message)),
    ),
  );
  return findings.flat();
}

async function fleet(session: Session): Promise<readonly Finding[]> {
  try {
    const asked = await askClusters(session, (client, { metadata }) =>
      versionFinding(client, `cluster ${metadata.name}`),
    );
    if (asked.length === 0)
      return [
        warning(
          "fleet",
          `no enabled Cluster in namespace ${session.namespace}`,
          "`chaski clusters join` adds one; -n names another namespace",
        ),
      ];
    return asked.map((each) =>
      "answer" in each
        ? each.answer
        : failed(
            `cluster ${each.name}`,
            each.problem,
            "until then no release is promoted there: `chaski clusters quarantine` sets it aside",
          ),
    );
  } catch (error) {
    return [warning("fleet", "could not be looked at", explanationOf(error).message)];
  }
}
