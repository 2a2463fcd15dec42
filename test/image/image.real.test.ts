import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERSION } from "@chaski/operator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "chaski-image-test-"));
const root = join(folder, "root");

interface Descriptor {
  readonly digest: string;
}

describe("the image archive", () => {
  beforeAll(() => {
    execFileSync(process.execPath, ["tools/image/main.ts", "--out", folder], { stdio: "pipe" });
    execFileSync("tar", ["-x", "-C", folder, "-f", join(folder, `chaski-${VERSION}.oci.tar`)]);
    mkdirSync(root);
    for (const { digest } of manifest().layers) execFileSync("tar", ["-xz", "-C", root, "-f", blob(digest)]);
    // A container engine mounts devices; git needs this one, and a file will do.
    mkdirSync(join(root, "dev"), { recursive: true });
    writeFileSync(join(root, "dev/null"), "");
    chmodSync(join(root, "dev/null"), 0o666);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("runs chaski as a user without rights", () => {
    const { User, Entrypoint } = imageConfig();
    expect(User).toBe("65532:65532");
    expect(inside(User, [...Entrypoint, "--version"])).toBe(VERSION);
  });

  test("has git and its transport over HTTPS", () => {
    const { User } = imageConfig();
    expect(inside(User, ["/usr/bin/git", "--version"])).toMatch(/^git version 2/);
    expect(() => inside(User, ["/usr/lib/git-core/git-remote-https"])).toThrow(/usage: git remote-curl/);
  });

  test("has no shell", () => {
    expect(() => inside("65532:65532", ["/bin/sh", "-c", "true"])).toThrow(/No such file/);
  });
});

/** In the unpacked image; a plain user needs a namespace of its own for that. */
function inside(user: string, command: readonly string[]): string {
  const asRoot = process.getuid?.() === 0 ? [] : ["unshare", "--user", "--map-root-user"];
  const [program = "", ...args] = [...asRoot, "chroot", `--userspec=${user}`, root, ...command];
  return execFileSync(program, args, {
    encoding: "utf8",
    stdio: "pipe",
    env: { HOME: "/tmp", PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
  }).trim();
}

function manifest(): { readonly config: Descriptor; readonly layers: readonly Descriptor[] } {
  const index = json(join(folder, "index.json")) as { readonly manifests: readonly [Descriptor] };
  return json(blob(index.manifests[0].digest)) as ReturnType<typeof manifest>;
}

function imageConfig(): { readonly User: string; readonly Entrypoint: readonly string[] } {
  const described = json(blob(manifest().config.digest)) as { readonly config: ReturnType<typeof imageConfig> };
  return described.config;
}

function blob(digest: string): string {
  return join(folder, "blobs", digest.replace(":", "/"));
}

function json(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
