// Draws what a terminal showed as SVG: tmux capture-pane -e -p | node tools/picture.ts > docs/images/up.svg
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";

const CHARACTER = { width: 8.4, height: 18 };
const MARGIN = 16;
const COLORS: Readonly<Record<string, string>> = {
  "31": "#ff7b72",
  "32": "#7ee787",
  "33": "#e3b341",
  "34": "#79c0ff",
  "35": "#d2a8ff",
  "36": "#76e3ea",
  "90": "#8b949e",
};

interface Style {
  readonly color: string;
  readonly isBold: boolean;
  readonly isDim: boolean;
}
const PLAIN: Style = { color: "#e6edf3", isBold: false, isDim: false };

const ESCAPE = String.fromCodePoint(27);
const SEQUENCE_START = new RegExp(`(?=${ESCAPE}\\[)`);
const SEQUENCE = new RegExp(`^(?:${ESCAPE}\\[([\\d;]*)m)?(.*)$`, "s");

const lines = (await text(process.stdin)).trimEnd().split("\n");
process.stdout.write(draw(lines));

function draw(rows: readonly string[]): string {
  const columns = Math.max(...rows.map((row) => stripVTControlCharacters(row).length));
  const width = Math.ceil(columns * CHARACTER.width + 2 * MARGIN);
  const height = rows.length * CHARACTER.height + 2 * MARGIN;
  let style = PLAIN;
  const drawn = rows.map((row, index) => {
    const y = MARGIN + (index + 0.75) * CHARACTER.height;
    let column = 0;
    const spans = row.split(SEQUENCE_START).map((piece) => {
      const [, codes, content = ""] = SEQUENCE.exec(piece) ?? [];
      if (codes !== undefined) style = styled(style, codes);
      const x = MARGIN + column * CHARACTER.width;
      column += content.length;
      return content.trim() === "" ? "" : span(content, { x, y, style });
    });
    return spans.join("");
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">`,
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    ...drawn.filter((row) => row !== ""),
    "</svg>\n",
  ].join("\n");
}

/** Codes of one escape sequence, on top of what was in force. */
function styled(style: Style, codes: string): Style {
  return codes.split(";").reduce((before, code): Style => {
    if (code === "" || code === "0") return PLAIN;
    if (code === "1") return { ...before, isBold: true };
    if (code === "2") return { ...before, isDim: true };
    if (code === "22") return { ...before, isBold: false, isDim: false };
    return { ...before, color: COLORS[code] ?? PLAIN.color };
  }, style);
}

function span(
  content: string,
  { x, y, style }: { readonly x: number; readonly y: number; readonly style: Style },
): string {
  const escaped = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const weight = style.isBold ? ' font-weight="bold"' : "";
  const opacity = style.isDim ? ' opacity="0.6"' : "";
  const length = (content.length * CHARACTER.width).toFixed(1);
  return `<text xml:space="preserve" x="${x.toFixed(1)}" y="${y}" textLength="${length}" fill="${style.color}"${weight}${opacity}>${escaped}</text>`;
}
