// `npm run kube:assets`: its last line of output is the folder.
import { ensureAssets, missingFrom } from "./assets.ts";
import { BINARIES } from "./assets-versions.ts";

const { env } = process;
const log = (line: string): void => console.error(line);
const needed = env["KUBEBUILDER_ASSETS"] ? (["etcd", "kube-apiserver"] as const) : BINARIES;
const folder = await ensureAssets({ env, needed, log });
const lacking = missingFrom(folder);
if (lacking.length > 0) log(`${folder} lacks ${lacking.join(", ")}: what needs them will fail`);
console.log(folder);
