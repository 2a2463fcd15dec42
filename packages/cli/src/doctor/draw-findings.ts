import type { Finding } from "./finding.ts";
import { type Frame, type Line, line, span, type Style, wrap } from "../views/line.ts";

const MARKS: Readonly<Record<Finding["verdict"], { readonly mark: string; readonly style: Style }>> = {
  ok: { mark: "✓", style: "green" },
  warning: { mark: "!", style: "yellow" },
  failed: { mark: "✗", style: "red" },
};

export function drawFindings(findings: readonly Finding[], { columns }: Frame): readonly Line[] {
  const failures = findings.filter(({ verdict }) => verdict === "failed").length;
  const verdict =
    failures === 0
      ? span("Nothing is broken.", "green")
      : span(`${failures} of ${findings.length} checks failed.`, "red");
  return [...findings.flatMap((finding) => drawFinding(finding, columns)), line(""), line(verdict)];
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
