// The pages that people read, and what they tell to type.
import { globSync, readFileSync } from "node:fs";

export interface Page {
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

export interface Block {
  readonly language: string;
  readonly lines: readonly string[];
  /** Nothing stands between it and the one before. */
  readonly isNext: boolean;
}

export interface Typed {
  readonly command: string;
  /** What the page shows as its answer. */
  readonly shown: readonly string[];
}

export function readPages(): readonly Page[] {
  const paths = ["README.md", "CONTRIBUTING.md", ...globSync("docs/*.md").toSorted()];
  return paths.map((path) => {
    const text = readFileSync(path, "utf8");
    return { path, text, blocks: blocksOf(text) };
  });
}

function blocksOf(text: string): readonly Block[] {
  return [...text.matchAll(/^(?<indent> *)```(?<language>\w*)\n(?<body>[\s\S]*?)^ *```$/gm)].map(
    ({ groups, index }) => {
      const { indent = "", language = "", body = "" } = groups ?? {};
      const isNext = text.slice(0, index).trimEnd().endsWith("```");
      const lines = body.split("\n").map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
      return { language, isNext, lines: lines.filter((line) => line.trim() !== "") };
    },
  );
}

/** Commands stand in `sh` blocks, a line each; a `text` block right after one is the answer to its last line. */
export function typedIn({ blocks }: Page): readonly Typed[] {
  return blocks.flatMap(({ language, lines }, index) => {
    if (language !== "sh") return [];
    const next = blocks[index + 1];
    const shown = next?.language === "text" && next.isNext ? next.lines : [];
    const commands = lines.map(withoutComment).filter((command) => command !== "");
    return commands.map((command, at) => ({ command, shown: at === commands.length - 1 ? shown : [] }));
  });
}

function withoutComment(line: string): string {
  return line.replace(/(^|\s+)#.*$/, "").trim();
}

/** Code in running text and in tables. */
export function inlineCode({ text }: Page): readonly string[] {
  const prose = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? "");
}

/** Manifests in `yaml` blocks. */
export function manifestsIn({ blocks }: Page): readonly string[] {
  return blocks.filter(({ language }) => language === "yaml").map(({ lines }) => `${lines.join("\n")}\n`);
}

/** What was printed has the shape of what is shown: numbers, times and lengths of bars may differ. */
export function shapeOf(shown: string): RegExp {
  const pattern = shown
    .trim()
    .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll(/\d\d:\d\d(:\d\d)?/g, "\\d\\d:\\d\\d(:\\d\\d)?")
    .replaceAll(/(?<![\w.\\-])\d+ (s|min|h|d)\b/g, "\\d+ (s|min|h|d)")
    .replaceAll(/(?<![\w.\\-])\d+(?![\w.-])/g, "\\d+")
    .replaceAll(/[━·]+/g, "[━·]+")
    .replaceAll("…", ".*")
    .replaceAll(/\s+/g, "\\s+");
  return new RegExp(`^\\s*${pattern}\\s*$`);
}
