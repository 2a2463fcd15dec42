import type { Finding } from "./finding.ts";
import { type Frame, type Line, line, type Span, span, type Style, wrap } from "../views/line.ts";

const MARKS: Readonly<Record<Finding["verdict"], { readonly mark: string; readonly style: Style }>> = {
  ok: { mark: "✓", style: "green" },
  warning: { mark: "!", style: "yellow" },
  failed: { mark: "✗", style: "red" },
  unknown: { mark: "?", style: "yellow" },
};

export function drawFindings(findings: readonly Finding[], { columns }: Frame): readonly Line[] {
  const drawn = findings.flatMap((finding, index) => {
    const { fix, ...rest } = finding;
    // What helps several in a row is told once, below them.
    return drawFinding(fix === findings[index + 1]?.fix ? rest : finding, columns);
  });
  return [...drawn, line(""), line(conclusion(findings))];
}

function conclusion(findings: readonly Finding[]): Span {
  const count = (wanted: Finding["verdict"]): number => findings.filter(({ verdict }) => verdict === wanted).length;
  if (count("failed") > 0) return span(`${count("failed")} of ${findings.length} checks failed.`, "red");
  if (count("unknown") > 0)
    return span(`${count("unknown")} of ${findings.length} checks could not be made.`, "yellow");
  return span("Nothing is broken.", "green");
}

function drawFinding({ verdict, subject, message, fix }: Finding, columns: number): readonly Line[] {
  const { mark, style } = MARKS[verdict];
  const [first = "", ...rest] = wrap(`${subject}: ${message}`, columns - 2);
  return [
    line(span(mark, style), " ", first),
    ...rest.map((text) => line("  ", text)),
    ...(fix === undefined ? [] : wrap(`→ ${fix}`, columns - 2).map((text) => line("  ", span(text, "cyan")))),
  ];
}
