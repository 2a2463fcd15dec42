// The operator's configuration file (`--config`): what is not a flag of the operators that Chaski replaces.
import { parseDuration } from "@chaski/kube";
import { z } from "zod";
import type { Problem } from "./schema/problem.ts";
import { schemaProblems } from "./schema/schema-problems.ts";

const duration = z.string().refine((text) => {
  const parsed = parseDuration(text);
  return parsed.ok && parsed.value > 0;
}, "must be a duration above zero, such as 30m");

const zone = z.string().refine(isZone, "must be a time zone such as America/Los_Angeles");

const moment = z.iso.datetime({ offset: true, error: "must be a time such as 2026-12-24T18:00:00Z" });

const freeze = z
  .strictObject({ start: moment, end: moment, reason: z.string().exactOptional() })
  .refine(({ start, end }) => Date.parse(start) < Date.parse(end), { path: ["end"], error: "must come after start" });

const calendar = z.strictObject({
  country: z.string().min(2).exactOptional(),
  state: z.string().min(1).exactOptional(),
  region: z.string().min(1).exactOptional(),
  zone: zone.exactOptional(),
  holidays: z.array(z.iso.date("must be a day such as 2026-12-24")).exactOptional(),
  freezes: z.array(freeze).exactOptional(),
  hasDefaultHolidays: z.boolean().exactOptional(),
});

const prometheus = z.strictObject({
  bearerTokenFile: z.string().min(1).exactOptional(),
  certificateAuthorityFile: z.string().min(1).exactOptional(),
  clientCertificate: z.strictObject({ certificateFile: z.string().min(1), keyFile: z.string().min(1) }).exactOptional(),
  headers: z
    .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/), z.string().regex(/^[\t\x20-\x7e]*$/))
    .exactOptional(),
});

/** States that end by themselves when they take too long (D-80). */
const limitedState = z.enum(["created", "deploying", "pendingtest", "testing", "tested"]);

const content = z.strictObject({
  judge: z
    .strictObject({
      untilPercent: z.int().min(1).max(100).exactOptional(),
      prometheus: prometheus.exactOptional(),
    })
    .exactOptional(),
  calendars: z.array(calendar).exactOptional(),
  timeouts: z.partialRecord(limitedState, duration).exactOptional(),
  // Nothing reads these three yet: what they are for is still to come, and a file may name it already.
  slack: z.strictObject({ channel: z.string().min(1) }).exactOptional(),
  links: z.array(z.strictObject({ name: z.string().min(1), url: z.string().min(1) })).exactOptional(),
  sentry: z.strictObject({ url: z.url(), organization: z.string().min(1) }).exactOptional(),
});

const schema = content.extend({
  apiVersion: z.literal("chaski.dev/v1alpha1"),
  kind: z.literal("OperatorConfig"),
});

/** Of all but `apiVersion` and `kind`, for whoever writes it as part of something else. */
export function operatorConfigJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(content, { target: "draft-7", io: "input" });
  return rest;
}

export type OperatorConfig = Readonly<z.infer<typeof schema>>;

export type ParsedOperatorConfig =
  | { readonly isValid: true; readonly config: OperatorConfig }
  | { readonly isValid: false; readonly problems: readonly Problem[] };

/** Strict: a key that means nothing is a mistake that somebody should hear of. */
export function parseOperatorConfig(value: unknown): ParsedOperatorConfig {
  const parsed = schema.safeParse(value);
  return parsed.success
    ? { isValid: true, config: parsed.data }
    : { isValid: false, problems: schemaProblems(schema, value, "config") };
}

function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}
