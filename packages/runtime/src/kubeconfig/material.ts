import { X509Certificate } from "node:crypto";
import { dirname, resolve } from "node:path";
import { createSecureContext } from "node:tls";
import type { TlsMaterial } from "../client/undici-transport.ts";
import { KubeconfigError } from "./errors.ts";
import type { Machine } from "./machine.ts";
import { codeOf } from "./token-file.ts";
import { WatchedFile } from "./watched-file.ts";

/** Who wrote a field, and what may be used to follow it. */
export interface FieldContext {
  /** `user admin of /root/.kube/config` */
  readonly owner: string;
  readonly source: string;
  /** Undefined for a kubeconfig that arrived as data: it may name no file and no program. */
  readonly machine: Machine | undefined;
}

/** Bytes that stand in the kubeconfig, or in a file beside it. */
export type Piece = Buffer | WatchedFile;

type PieceName = "certificate-authority" | "client-certificate" | "client-key";
type PieceFields = { readonly [Field in PieceName | `${PieceName}-data`]?: string };

/** Data wins over a file, as with kubectl. */
export function pieceOf(context: FieldContext, fields: PieceFields, name: PieceName): Piece | undefined {
  const data = fields[`${name}-data`];
  if (data !== undefined) return decode(data, `${context.owner}: ${name}-data`);
  const path = fields[name];
  return path === undefined ? undefined : fileOf(context, name, path);
}

export function fileOf({ owner, source, machine }: FieldContext, field: string, path: string): WatchedFile {
  if (machine === undefined) {
    throw new KubeconfigError(
      "FileAccessRefused",
      `${owner}: ${field} names a file, and a kubeconfig in a Secret may not; put the content in it`,
    );
  }
  return new WatchedFile(machine, resolve(dirname(source), path));
}

export async function contentOf(piece: Piece | undefined, owner: string): Promise<Buffer | undefined> {
  if (!(piece instanceof WatchedFile)) return piece;
  return piece.read().catch((error: unknown) => {
    throw new KubeconfigError("Unreadable", `${owner}: the file ${piece.path} can't be read (${codeOf(error)})`);
  });
}

export function checkAuthority({ ca }: TlsMaterial, owner: string): void {
  if (ca === undefined || isCertificate(ca)) return;
  throw new KubeconfigError("BadCertificate", `${owner}: its certificate authority is no PEM certificate; replace it`);
}

export function checkClientCertificate({ cert, key }: TlsMaterial, owner: string): void {
  if ((cert === undefined) !== (key === undefined)) {
    const missing = cert === undefined ? "client-certificate" : "client-key";
    throw new KubeconfigError("BadCertificate", `${owner}: it has no ${missing}; give both or neither`);
  }
  try {
    if (cert !== undefined && key !== undefined) createSecureContext({ cert, key });
  } catch {
    throw new KubeconfigError("BadCertificate", `${owner}: its client certificate and key are no pair; replace both`);
  }
}

function isCertificate(pem: string | Buffer): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

function decode(data: string, where: string): Buffer {
  const compact = data.replaceAll(/\s/g, "");
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) {
    throw new KubeconfigError("BadBase64", `${where} is not base64; encode the PEM text again`);
  }
  return Buffer.from(compact, "base64");
}
