import { describe, expect, test } from "vitest";
import { metricNames } from "./metric-names.ts";

describe("the metrics that a query asks for", () => {
  test.each([
    ["up", ["up"]],
    ["job:errors:rate5m{job=~\"a|b\", code!~'5..'}", ["job:errors:rate5m"]],
    [
      "sum by (tag, app) (rate(a_total[5m])) / ignoring(tag) group_left(app) sum(b_total) without (pod)",
      ["a_total", "b_total"],
    ],
    ["-a + (b unless on(x) c) ^ 2 > bool 0", ["a", "b", "c"]],
    ["histogram_quantile(0.99, sum(rate(h_bucket[2m])) by (le))", ["h_bucket"]],
    ["max_over_time(rate(a[5m])[1h30m:1m] offset -5m @ end())", ["a"]],
    ["avg_over_time(x[5m:]) or vector(1e-3)", ["x"]],
    ["a offset 5m @ 1609746000", ["a"]],
    ['{__name__="by_name", job="x"}', ["by_name"]],
    ['{"my.metric", job="x",}', ["my.metric"]],
    ['label_replace(a, "tag", "$1", "k", "(.*)") # why', ["a"]],
    ["time() - Inf", []],
    ["count_values('version', build_info)", ["build_info"]],
    ["sum", ["sum"]],
    ["0x1F + .5 * a", ["a"]],
  ])("%s", (query, names) => {
    expect(metricNames(query)).toEqual({ ok: true, value: names });
  });
});

describe("what Prometheus refuses is refused", () => {
  test.each([
    "",
    "sum(",
    "a b",
    "a{",
    "a{x}",
    'a{x=="y"}',
    "a[5m",
    "a[b]",
    "sum by tag (a)",
    "a +",
    "a)",
    "'unclosed",
    "a ? b",
    `${"(".repeat(10_000)}a`,
  ])("%s", (query) => {
    expect(metricNames(query)).toMatchObject({ ok: false });
  });
});
