// `npm run image`: the operator as an OCI image archive, made without a Docker daemon. Its last line is the file.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERSION } from "@chaski/operator";
import { ENVIRONMENT } from "@chaski/runtime";
import { commandLine } from "@chaski/test/command-line";
import { writeArchive } from "./oci-archive.ts";
import { makeRootFilesystem } from "./root-filesystem.ts";

const ROOT = join(import.meta.dirname, "../..");
const { out } = commandLine({
  usage: "usage: npm run image -- [--out FOLDER]   dist/image/ unless given",
  options: { out: { type: "string", default: join(ROOT, "dist/image") } },
}).values;

if (process.platform !== "linux") throw new Error("the image holds this machine's Node: make it on Linux");
const work = mkdtempSync(join(tmpdir(), "chaski-image-"));
try {
  console.error("Unpacking Debian's packages …");
  makeRootFilesystem(join(work, "root"), work);
  console.error("Bundling operator and CLI …");
  const app = join(work, "app");
  execFileSync(process.execPath, [join(ROOT, "tools/build.ts"), "--out", join(app, "app")]);
  mkdirSync(out, { recursive: true });
  const file = join(out, `chaski-${VERSION}.oci.tar`);
  const digest = writeArchive(
    {
      name: `chaski:${VERSION}`,
      layers: [join(work, "root"), app],
      architecture: process.arch === "arm64" ? "arm64" : "amd64",
      config: {
        User: "65532:65532",
        Env: environment({ PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/tmp", ...ENVIRONMENT }),
        Entrypoint: ["/usr/local/bin/node", "/app/chaski.mjs"],
        Cmd: ["operator"],
        WorkingDir: "/tmp",
        Labels: { "org.opencontainers.image.version": VERSION, "org.opencontainers.image.licenses": "Apache-2.0" },
      },
    },
    file,
    work,
  );
  console.error(digest);
  console.log(file);
} finally {
  rmSync(work, { recursive: true });
}

function environment(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values).map(([name, value]) => `${name}=${value}`);
}
