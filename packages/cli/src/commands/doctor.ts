// `doctor`: what is wrong with this installation, each finding with its fix.
import { RealClock } from "@chaski/clock";
import type { Transport } from "@chaski/kube";
import type { Client } from "@chaski/runtime/connect";
import type { Command } from "commander";
import {
  type ClusterOptions,
  type Session,
  withClusterOptions,
  withOutput,
  withSession,
} from "../cluster/cluster-options.ts";
import { ServerTime, versionFinding } from "../doctor/connection.ts";
import { definitionFindings } from "../doctor/definitions.ts";
import { drawFindings } from "../doctor/draw-findings.ts";
import { failed, type Finding, unknown, warning } from "../doctor/finding.ts";
import { leaseFindings } from "../doctor/lease.ts";
import { rightsFinding } from "../doctor/rights.ts";
import { webhookFindings } from "../doctor/webhooks.ts";
import { EXIT, type Finish } from "../usage/exit.ts";
import { explanationOf } from "../cluster/explain.ts";
import { columnsOf, print } from "../terminal/print.ts";
import { operatorHome } from "../cluster/operator-home.ts";
import { askClusters } from "../cluster/target-clusters.ts";

const DELIVERY = "delivery cluster";

export function addDoctor(program: Command, finish: Finish): void {
  const command = program
    .command("doctor")
    .description(
      "Look for what is wrong: connection, clock, rights, CRDs, webhooks, the operator, every cluster. Exit code 1 if something is broken, or could not be looked at.",
    );
  withOutput(withClusterOptions(command), "json prints the findings").action(async (options: ClusterOptions) => {
    const clock = new RealClock();
    const findings = await examine(options, clock);
    if (options.output === "json") console.log(JSON.stringify(findings, null, 2));
    else print(drawFindings(findings, { columns: columnsOf(process.stdout), nowMs: clock.now() }));
    finish(findings.some(({ verdict }) => verdict === "failed" || verdict === "unknown") ? EXIT.failed : EXIT.ok);
  });
}

async function examine(options: ClusterOptions, clock: RealClock): Promise<readonly Finding[]> {
  const time = new ServerTime();
  const look = async (session: Session): Promise<readonly Finding[]> => {
    const { client } = session;
    const version = await versionFinding(client, DELIVERY);
    return [version, ...time.finding(DELIVERY), ...(await installation(client, clock)), ...(await fleet(session))];
  };
  const giveUp = (error: unknown): readonly Finding[] => [
    failed(DELIVERY, explanationOf(error).message, "nothing else can be looked at before that works"),
  ];
  const wrapTransport = (transport: Transport): Transport => time.wrap(transport, clock);
  return await withSession(options, (session) => look(session).catch(giveUp), { wrapTransport });
}

/** A check that itself can't be made is a finding, and keeps the others from nothing. */
async function installation(client: Client, clock: RealClock): Promise<readonly Finding[]> {
  const home = await operatorHome(client);
  const checks: Readonly<Record<string, () => Promise<Finding | readonly Finding[]>>> = {
    CRDs: () => definitionFindings(client),
    rights: () => rightsFinding(client, home),
    webhooks: () => webhookFindings(client),
    operator: () => leaseFindings(client, home, clock.now()),
  };
  const findings = await Promise.all(
    Object.entries(checks).map(([subject, check]) =>
      check().catch((error: unknown) => unknown(subject, explanationOf(error).message)),
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
            `no release is promoted there until it is mended; \`chaski clusters quarantine ${each.name} --reason …\` sets it aside`,
          ),
    );
  } catch (error) {
    return [unknown("fleet", explanationOf(error).message)];
  }
}
