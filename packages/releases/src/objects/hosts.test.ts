import type { IngressName } from "@chaski/api";
import { describe, expect, test } from "vitest";
import { echoApp } from "../../test/echo.ts";
import { authorityRegex, type Ingress, ingressHosts } from "./hosts.ts";

describe("scenario 19: hosts of a target that is not its fleet's main one", () => {
  const app = { ...echoApp(), app: "website", target: "staging", fleet: "internal", namespace: "website-internal" };
  const http = { name: "http", mode: "public", hosts: ["www.doki-pen.org", "website.doki-pen.org"] };
  const httpPrivate = { name: "http-private", mode: "private", hosts: ["www.dkpn.io"] };
  const routing = {
    ports: [http, httpPrivate],
    defaultIngressPorts: { public: "http", private: "http-private" },
    faults: [],
  };
  const ingress: Readonly<Record<IngressName, Ingress>> = {
    public: { name: "public", spec: { dnsName: "", defaultDomains: ["doki-pen.org"] } },
    private: { name: "private", spec: { dnsName: "", defaultDomains: ["dkpn.io"] } },
  };

  test.each([
    { port: http, on: "public", hosts: ["website-internal.doki-pen.org", "website.doki-pen.org", "www.doki-pen.org"] },
    { port: http, on: "private", hosts: ["website.doki-pen.org", "www.doki-pen.org"] },
    { port: httpPrivate, on: "public", hosts: ["www.dkpn.io"] },
    { port: httpPrivate, on: "private", hosts: ["website-internal.dkpn.io", "website.dkpn.io", "www.dkpn.io"] },
  ] as const)("$port.name on the $on ingress: $hosts", ({ port, on, hosts }) => {
    expect(ingressHosts(app, routing, ingress[on], port)).toEqual(hosts);
  });
});

test("an authority matches exactly its hosts, with or without a port", () => {
  const regex = new RegExp(authorityRegex(["a-b.example", "c.example"]));
  expect(["a-b.example", "c.example:443"].every((authority) => regex.test(authority))).toBe(true);
  expect(["a-bxexample", "xa-b.example", "c.example:x"].some((authority) => regex.test(authority))).toBe(false);
});
