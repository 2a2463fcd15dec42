// `install` writes nothing: it prints what kubectl applies.
import { INSTALL_DEFAULTS, installManifests, WINGS } from "@chaski/operator";
import type { Command } from "commander";
import { stringify } from "yaml";
import { wholeNumber } from "../usage/arguments.ts";
import { examples } from "../usage/help.ts";
import { parseWings } from "./operator.ts";

interface Options {
  readonly namespace: string;
  readonly image: string;
  readonly replicas: number;
  readonly wings: readonly string[];
}

export function addInstall(program: Command): void {
  const { namespace, image } = INSTALL_DEFAULTS;
  program
    .command("install")
    .description("Print the manifests that install the operator, for kubectl to apply.")
    .addHelpText(
      "after",
      examples(
        "install --image registry.example/chaski:0.1.0 | kubectl apply --server-side -f -",
        "install --wings canaries --replicas 1 > chaski.yaml",
      ),
    )
    .option("-n, --namespace <name>", "namespace of the operator", namespace)
    .option("--image <image>", "where your clusters pull the operator from", image)
    .option("--replicas <n>", "of several one acts, the others stand by", wholeNumber(1, 9), 2)
    .option("--wings <list>", `what to run, of ${WINGS.join(",")}; all without it`, parseWings, WINGS)
    .action((options: Options) => {
      const manifests = installManifests({ ...INSTALL_DEFAULTS, ...options, wings: options.wings.join(",") });
      const print = (manifest: unknown): string =>
        stringify(manifest, { lineWidth: 120, aliasDuplicateObjects: false });
      process.stdout.write(manifests.map(print).join("---\n"));
    });
}
