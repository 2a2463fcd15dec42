import { VERSION } from "@chaski/operator/version";
import type { Command } from "commander";
import { withOutput } from "../cluster/cluster-options.ts";

export function addVersion(program: Command): void {
  withOutput(program.command("version").description("Print the versions of this program and of its Node.")).action(
    ({ output }: { readonly output?: string }) => {
      const versions = { chaski: VERSION, node: process.versions.node };
      console.log(
        output === "json" ? JSON.stringify(versions, null, 2) : `chaski ${versions.chaski} (Node ${versions.node})`,
      );
    },
  );
}
