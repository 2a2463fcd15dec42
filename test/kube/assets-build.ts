// Builds the Kubernetes binaries from Go modules with the machine's own Go. Slow once (about 15 minutes on two cores),
// then cached. Each binary is moved into place when it is whole, so that an interrupted build goes on where it stopped.
import { execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Binary, ETCD_VERSION, KUBERNETES_VERSION, KWOK_VERSION } from "./assets-versions.ts";

const run = promisify(execFile);

export interface GoModule<Name extends string = string> {
  readonly path: string;
  readonly version: string;
  /** Binary → package to build. */
  readonly binaries: Readonly<Partial<Record<Name, string>>>;
  readonly ldflags: readonly string[];
  /** Turns the module's own go.mod into one that can build it from outside. */
  readonly adaptGoMod: (goMod: string) => string;
}

export const keepGoMod = (goMod: string): string => goMod;

const MODULES: readonly GoModule<Binary>[] = [
  {
    path: "go.etcd.io/etcd/server/v3",
    version: ETCD_VERSION,
    binaries: { etcd: "go.etcd.io/etcd/server/v3" },
    ldflags: [],
    adaptGoMod: dropReplaces,
  },
  {
    path: "k8s.io/kubernetes",
    version: KUBERNETES_VERSION,
    binaries: {
      "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
      "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
      kubectl: "k8s.io/kubernetes/cmd/kubectl",
      "kube-scheduler": "k8s.io/kubernetes/cmd/kube-scheduler",
    },
    ldflags: kubernetesVersionFlags(),
    adaptGoMod: (goMod) =>
      goMod.replace(/=> \.\/staging\/src\/(k8s\.io\/\S+)/g, `=> $1 ${KUBERNETES_VERSION.replace("v1.", "v0.")}`),
  },
  {
    path: "sigs.k8s.io/kwok",
    version: KWOK_VERSION,
    binaries: { kwok: "sigs.k8s.io/kwok/cmd/kwok" },
    ldflags: [`-X sigs.k8s.io/kwok/pkg/consts.Version=${KWOK_VERSION}`],
    adaptGoMod: keepGoMod,
  },
];

export interface BuildOptions {
  readonly folder: string;
  readonly missing: readonly Binary[];
  readonly log: (line: string) => void;
}

export async function buildAssets({ folder, missing, log }: BuildOptions): Promise<void> {
  for (const module of MODULES) {
    const wanted = Object.entries(module.binaries).filter(([binary]) => missing.includes(binary as Binary));
    if (wanted.length > 0) await buildModule({ ...module, binaries: Object.fromEntries(wanted) }, { folder, log });
  }
}

/** Builds all binaries that the module names into a folder. */
export async function buildModule(module: GoModule, { folder, log }: Omit<BuildOptions, "missing">): Promise<void> {
  const goEnv = await goEnvironment();
  await mkdir(folder, { recursive: true });
  const source = await prepareModule(folder, module, goEnv);
  for (const [binary, goPackage = ""] of Object.entries(module.binaries)) {
    log(`building ${binary} ${module.version} (once; it is cached in ${folder})`);
    await goBuild({ source, goPackage, goEnv, ldflags: module.ldflags, output: join(folder, binary) });
  }
  await rm(source, { recursive: true });
}

/** Downloads the module and lays out a small module of our own that requires it with its own pins. */
async function prepareModule(folder: string, module: GoModule, goEnv: NodeJS.ProcessEnv): Promise<string> {
  const downloaded = await downloadModule(`${module.path}@${module.version}`, goEnv);
  const source = await mkdtemp(join(folder, "build-"));
  const goMod = await readFile(join(downloaded, "go.mod"), "utf8");
  const adapted = module.adaptGoMod(goMod).replace(/^module .*$/m, "module chaski.dev/assets");
  await writeFile(join(source, "go.mod"), `${adapted}\nrequire ${module.path} ${module.version}\n`);
  await cp(join(downloaded, "go.sum"), join(source, "go.sum")).then(() =>
    run("chmod", ["u+w", join(source, "go.sum")]),
  );
  return source;
}

/** The folder of a Go module in the module cache; also how the tests find upstream CRDs and KWOK's stages. */
export async function downloadModule(moduleAtVersion: string, goEnv?: NodeJS.ProcessEnv): Promise<string> {
  const env = goEnv ?? (await goEnvironment());
  const { stdout } = await run("go", ["mod", "download", "-json", moduleAtVersion], { env, cwd: "/" });
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}

interface GoBuild {
  readonly source: string;
  readonly goPackage: string;
  readonly goEnv: NodeJS.ProcessEnv;
  readonly ldflags: readonly string[];
  readonly output: string;
}

async function goBuild({ source, goPackage, goEnv, ldflags, output }: GoBuild): Promise<void> {
  const unfinished = join(source, "binary");
  const flags = ["build", "-mod=mod", "-trimpath", `-ldflags=${["-s -w", ...ldflags].join(" ")}`, "-o", unfinished];
  const child = spawn("go", [...flags, goPackage], {
    cwd: source,
    env: goEnv,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("exit", resolve));
  if (code !== 0) throw new Error(`go build ${goPackage} ended with ${code}; its output is above`);
  await rename(unfinished, output);
}

/** Asks the module proxy only: the fall-through to `direct` would try Git hosts that a closed network can't reach. */
export async function goEnvironment(): Promise<NodeJS.ProcessEnv> {
  const { stdout } = await run("go", ["env", "GOPROXY"], { cwd: "/" }).catch((cause: unknown) => {
    throw new Error("no Go on this machine: install the version in .tool-versions, or set KUBEBUILDER_ASSETS", {
      cause,
    });
  });
  const proxies = stdout
    .trim()
    .split(",")
    .filter((proxy) => proxy !== "direct");
  return { ...process.env, GOPROXY: proxies.join(","), CGO_ENABLED: "0", GOFLAGS: "-buildvcs=false" };
}

function dropReplaces(goMod: string): string {
  return goMod.replace(/^replace \([^)]*\)$/gms, "").replace(/^replace .*$/gm, "");
}

/** kubectl and the compatibility checks of the control plane read the version that the linker stamps. */
function kubernetesVersionFlags(): string[] {
  const [major, minor] = KUBERNETES_VERSION.slice(1).split(".");
  const values = { gitVersion: KUBERNETES_VERSION, gitMajor: major, gitMinor: minor, gitTreeState: "clean" };
  return ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"].flatMap((holder) =>
    Object.entries(values).map(([name, value]) => `-X ${holder}.${name}=${value}`),
  );
}
