// An OCI image layout in one tar file, as `podman load`, `skopeo copy oci-archive:…` and `ctr images import` take it.
// The same input gives the same bytes: no times, no names of users.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export interface Image {
  readonly name: string;
  /** One layer per folder, lowest first. */
  readonly layers: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
  readonly architecture: "amd64" | "arm64";
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

const EPOCH = "1970-01-01T00:00:00Z";
const MAX_LAYER_BYTES = 1024 ** 3;

export function writeArchive({ name, layers, config, architecture }: Image, file: string, work: string): string {
  const layout = join(work, "layout");
  mkdirSync(join(layout, "blobs/sha256"), { recursive: true });
  const tars = layers.map(tarOf);
  const rootfs = { type: "layers", diff_ids: tars.map(digestOf) };
  const history = layers.map(() => ({ created: EPOCH, created_by: "npm run image" }));
  const described = { created: EPOCH, os: "linux", architecture, config, rootfs, history };
  const manifest = {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: store(layout, "application/vnd.oci.image.config.v1+json", json(described)),
    layers: tars.map((tar) => store(layout, "application/vnd.oci.image.layer.v1.tar+gzip", gzipSync(tar))),
  };
  const stored = store(layout, manifest.mediaType, json(manifest));
  const named = { ...stored, annotations: { "org.opencontainers.image.ref.name": name } };
  writeFileSync(join(layout, "index.json"), json({ schemaVersion: 2, manifests: [named] }));
  writeFileSync(join(layout, "oci-layout"), json({ imageLayoutVersion: "1.0.0" }));
  writeFileSync(file, tarOf(layout));
  rmSync(layout, { recursive: true });
  return stored.digest;
}

function tarOf(folder: string): Buffer {
  const steady = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--format=gnu"];
  return execFileSync("tar", ["-c", ...steady, "-C", folder, "."], { maxBuffer: MAX_LAYER_BYTES });
}

function store(layout: string, mediaType: string, content: Buffer): Descriptor {
  const digest = digestOf(content);
  writeFileSync(join(layout, "blobs", digest.replace(":", "/")), content);
  return { mediaType, digest, size: content.length };
}

function digestOf(content: Buffer): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
