// What the operator needs around it: Node's libraries, git, certificates, time zones. From Debian's packages, unpacked
// without installing them, so that neither root nor a Docker daemon is needed; no shell and no package manager go in.
import { execFileSync } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const WANTED = ["base-files", "ca-certificates", "git", "libstdc++6", "netbase", "tzdata"];
/** Dependencies for installing, for scripts in Perl and for manual pages. */
const LEFT_OUT = /^(perl|libperl|perl-|liberror-perl|libgdbm|git-man|dpkg|debconf|openssl|tar|mawk|libacl|libmd0)/;
const NOT_SHIPPED = ["usr/share/man", "usr/share/locale", "usr/share/doc-base", "usr/share/bash-completion", "var/lib"];
const USER = "65532";

export function makeRootFilesystem(root: string, work: string): void {
  for (const archive of download(work)) execFileSync("dpkg-deb", ["-x", archive, root]);
  for (const path of NOT_SHIPPED) rmSync(join(root, path), { recursive: true, force: true });
  const certificates = globSync("usr/share/ca-certificates/mozilla/*.crt", { cwd: root }).toSorted();
  write(root, "etc/ssl/certs/ca-certificates.crt", certificates.map((path) => read(root, path)).join(""));
  write(root, "etc/passwd", `root:x:0:0::/:/sbin/nologin\nchaski:x:${USER}:${USER}::/tmp:/sbin/nologin\n`);
  write(root, "etc/group", `root:x:0:\nchaski:x:${USER}:\n`);
  mkdirSync(join(root, "usr/local/bin"), { recursive: true });
  copyFileSync(process.execPath, join(root, "usr/local/bin/node"));
}

/** An empty status file makes apt choose every dependency anew, whatever this machine has. */
function download(work: string): readonly string[] {
  const archives = join(work, "archives");
  mkdirSync(join(archives, "partial"), { recursive: true });
  writeFileSync(join(work, "status"), "");
  const settings = [`Dir::State::status=${work}/status`, `Dir::Cache::archives=${archives}`, "Debug::NoLocking=true"];
  const options = settings.flatMap((setting) => ["-o", setting]);
  execFileSync("apt-get", [
    "install",
    "-qq",
    "--download-only",
    "-y",
    "--no-install-recommends",
    ...options,
    ...WANTED,
  ]);
  return globSync("*.deb", { cwd: archives })
    .filter((name) => !LEFT_OUT.test(name))
    .toSorted()
    .map((name) => join(archives, name));
}

function read(root: string, path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function write(root: string, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
