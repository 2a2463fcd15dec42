// Numbers as text, as Go reads and prints them.

/** Undefined where the text is no finite number. */
export function readFloat(text: string | undefined): number | undefined {
  const isDecimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text ?? "");
  const value = Number(text);
  return isDecimal && Number.isFinite(value) ? value : undefined;
}

/** Thousandths as the shortest plain decimal: `5`, `2.5`. */
export function formatMilli(milli: number): string {
  const fraction = String(milli % 1000)
    .padStart(3, "0")
    .replace(/0+$/, "");
  const whole = String(Math.floor(milli / 1000));
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

const DIGITS_MAX = 10;
const PLAIN_EXPONENT_MIN = -4;

/** Up to ten significant digits in the shorter of the two forms, as `%.10g` prints it: `0.01`, `1e-05`. */
export function formatGeneral(value: number): string {
  const rounded = Number(value.toPrecision(DIGITS_MAX));
  const [mantissa = "", exponent = "0"] = rounded.toExponential().split("e");
  const power = Number(exponent);
  if (power >= PLAIN_EXPONENT_MIN && power < DIGITS_MAX) return String(rounded);
  return `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}
