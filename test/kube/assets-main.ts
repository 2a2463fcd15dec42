// `npm run kube:assets`: its last line of output is the folder.
import { ensureAssets } from "./assets.ts";

console.log(await ensureAssets(process.env, (line) => console.error(line)));
