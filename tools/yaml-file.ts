import { stringify } from "yaml";

const HEADER = "# Written by `npm run generate`. Do not edit.\n";

export function yaml(documents: readonly unknown[]): string {
  return (
    HEADER +
    documents.map((document) => stringify(document, { lineWidth: 120, aliasDuplicateObjects: false })).join("---\n")
  );
}
