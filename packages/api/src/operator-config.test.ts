import { describe, expect, test } from "vitest";
import { parseOperatorConfig } from "./operator-config.ts";

const head = { apiVersion: "chaski.dev/v1alpha1", kind: "OperatorConfig" };

const whole = {
  ...head,
  judge: {
    untilPercent: 100,
    prometheus: {
      bearerTokenFile: "/var/run/token",
      certificateAuthorityFile: "/etc/ca.crt",
      clientCertificate: { certificateFile: "/etc/tls.crt", keyFile: "/etc/tls.key" },
      headers: { "X-Scope-OrgID": "7" },
    },
  },
  calendars: [
    {
      zone: "Europe/Berlin",
      holidays: ["2026-12-24"],
      freezes: [{ start: "2026-12-20T00:00:00Z", end: "2027-01-02T00:00:00+01:00", reason: "end of the year" }],
      hasDefaultHolidays: true,
    },
  ],
  timeouts: { deploying: "30m", created: "2h" },
  slack: { channel: "#releases" },
  links: [{ name: "dashboards", url: "https://grafana/{app}?tag={tag}&target={target}" }],
  sentry: { url: "https://sentry.example/api/0/", organization: "shop" },
};

test("everything that can be said", () => {
  expect(parseOperatorConfig(whole)).toEqual({ isValid: true, config: whole });
});

test("nothing has to be said", () => {
  expect(parseOperatorConfig(head)).toEqual({ isValid: true, config: head });
});

describe("what is refused, and where", () => {
  test.each([
    { config: { ...head, kind: "Deployment" }, path: "config.kind" },
    { config: { ...head, calender: [] }, path: "config.calender" },
    { config: { ...head, judge: { untilPercent: 101 } }, path: "config.judge.untilPercent" },
    {
      config: { ...head, judge: { prometheus: { headers: { a: "b\nc" } } } },
      path: "config.judge.prometheus.headers.a",
    },
    { config: { ...head, calendars: [{ zone: "Mars/Olympus" }] }, path: "config.calendars[0].zone" },
    { config: { ...head, calendars: [{ holidays: ["24.12."] }] }, path: "config.calendars[0].holidays[0]" },
    {
      config: { ...head, calendars: [{ freezes: [{ start: "2026-02-01T00:00:00Z", end: "2026-01-01T00:00:00Z" }] }] },
      path: "config.calendars[0].freezes[0].end",
    },
    { config: { ...head, timeouts: { deploying: "soon" } }, path: "config.timeouts.deploying" },
    { config: { ...head, timeouts: { released: "1h" } }, path: "config.timeouts.released" },
    { config: "words", path: "config" },
    { config: undefined, path: "config" },
  ])("$path", ({ config, path }) => {
    const parsed = parseOperatorConfig(config);
    expect(parsed.isValid ? [] : parsed.problems.map((problem) => problem.path)).toEqual([path]);
  });
});
