// `npm run build`: operator and CLI as a package of plain JavaScript, with nothing left to install.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "@chaski/operator";
import { commandLine } from "@chaski/test/command-line";
import { type Plugin, rolldown } from "rolldown";

const ROOT = join(import.meta.dirname, "..");
const { out, pack } = commandLine({
  usage: `usage: npm run build -- [options]
  --out FOLDER   dist/ unless given
  --pack         write the tarball that \`npm install\` takes, too`,
  options: { out: { type: "string", default: join(ROOT, "dist") }, pack: { type: "boolean", default: false } },
}).values;

/** A thread is started from a file; in the bundle it is the chunk beside. */
const threadsOfTheBundle: Plugin = {
  name: "threads-of-the-bundle",
  transform: {
    filter: { id: /leadership-in-thread\.ts$/ },
    handler: (code) => code.replaceAll("./lease-thread.ts", "./lease-thread.mjs"),
  },
};

/** V8 reads a large literal faster as JSON text than as code. Ours alone: others may require theirs, not import it. */
const dataAsText: Plugin = {
  name: "data-as-text",
  transform: {
    filter: { id: { include: /\.json$/, exclude: /node_modules/ } },
    handler: (code) => ({
      code: `export default JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(code)))});`,
      moduleType: "js",
    }),
  },
};

const BUILTIN_IMPORT = /^import (\w+|\* as \w+|\{[^}]*\}) from ("node:[\w/]+");$/gm;

/** An `import` of one of Node's modules runs all its getters, and so loads others that nobody asked for. */
const builtinsWithoutGetters: Plugin = {
  name: "builtins-without-getters",
  renderChunk: (code) =>
    code.replace(BUILTIN_IMPORT, (_statement, bound: string, module: string) => {
      const pattern = bound.replace(/^\* as /, "").replaceAll(" as ", ": ");
      return `const ${pattern} = globalThis.process.getBuiltinModule(${module});`;
    }),
};

/** With a backslash of its own, which says no more than the character, and those in pairs before it, which do. */
const WIDE = /((?:\\\\)*)\\?([\u0100-\uffff])/g;
const escaped = (_found: string, pairs: string, char: string): string =>
  `${pairs}\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** One character beyond Latin-1, and V8 keeps the whole text at two bytes for each; as escapes they mean the same. */
const narrowText: Plugin = {
  name: "narrow-text",
  generateBundle: (_options, bundle) => {
    for (const file of Object.values(bundle)) if (file.type === "chunk") file.code = file.code.replace(WIDE, escaped);
  },
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const modules = await bundle();
describe();
writeFileSync(join(out, "THIRD-PARTY-LICENSES"), licencesOf(modules));
console.log(pack ? tarball() : out);

/** Commands stay chunks of their own: `chaski why` does not load the operator. The files that went into it. */
async function bundle(): Promise<readonly string[]> {
  const build = await rolldown({
    cwd: ROOT,
    platform: "node",
    input: { main: "packages/cli/src/main.ts", "lease-thread": "packages/runtime/src/leader/lease-thread.ts" },
    plugins: [threadsOfTheBundle, dataAsText, builtinsWithoutGetters, narrowText],
    logLevel: "warn",
  });
  const { output } = await build.write({
    dir: out,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
    comments: false,
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
  });
  await build.close();
  return output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
}

function describe(): void {
  const bin = { chaski: "chaski.mjs", "kubectl-chaski": "chaski.mjs" };
  const manifest = {
    name: "chaski",
    version: VERSION,
    description: "Progressive delivery for Kubernetes fleets",
    license: "Apache-2.0",
    type: "module",
    engines: { node: ">=24" },
    bin,
  };
  writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const starter = readFileSync(join(ROOT, "packages/cli/bin/chaski.mjs"), "utf8");
  writeFileSync(join(out, "chaski.mjs"), starter.replace("../src/main.ts", "./main.mjs"), { mode: 0o755 });
  copyFileSync(join(ROOT, "LICENSE"), join(out, "LICENSE"));
  copyFileSync(join(ROOT, "README.md"), join(out, "README.md"));
}

function tarball(): string {
  const answer = execFileSync("npm", ["pack", "--json", "--silent", "--pack-destination", out, out], {
    encoding: "utf8",
  });
  const [packed] = JSON.parse(answer) as [{ readonly filename: string }];
  return join(out, packed.filename);
}

/** What the licences of the bundled packages ask for: their text goes along. */
function licencesOf(files: readonly string[]): string {
  const folders = new Set(files.flatMap((file) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []));
  return [...folders].toSorted().map(licenceOf).join("\n\n");
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Package;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? "" : `\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
  return `${name} ${version}: ${license}${text}`;
}

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}
