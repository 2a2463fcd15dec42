import type { Credentials } from "../client/credentials.ts";
import { KubeconfigError } from "./errors.ts";
import type { WatchedFile } from "./watched-file.ts";

/** A bearer token in a file that somebody else rotates. */
export function tokenFileCredentials(file: WatchedFile, owner: string): Credentials {
  return {
    async authorization() {
      const content = await file.read().catch((error: unknown) => {
        throw new KubeconfigError(
          "Unreadable",
          `${owner}: its token file ${file.path} can't be read (${codeOf(error)})`,
        );
      });
      const token = content.toString("utf8").trim();
      if (token === "") throw new KubeconfigError("Unreadable", `${owner}: its token file ${file.path} is empty`);
      return `Bearer ${token}`;
    },
    refuse() {
      file.forget();
      return true;
    },
  };
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown cause";
}
