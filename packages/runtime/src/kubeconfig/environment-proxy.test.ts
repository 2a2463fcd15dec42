import { VirtualClock } from "@chaski/clock";
import { expect, test } from "vitest";
import { environmentProxy } from "./environment-proxy.ts";
import { thisMachine } from "./machine.ts";

const HTTPS_PROXY = "http://proxy:3128";

test.each<{ server: string; env: Record<string, string>; proxy: string | undefined }>([
  { server: "https://api.test:6443", env: {}, proxy: undefined },
  { server: "https://api.test:6443", env: { HTTPS_PROXY }, proxy: HTTPS_PROXY },
  { server: "https://api.test:6443", env: { https_proxy: "proxy:3128" }, proxy: HTTPS_PROXY },
  { server: "http://api.test:6443", env: { HTTPS_PROXY }, proxy: undefined },
  { server: "https://127.0.0.1:6443", env: { HTTPS_PROXY }, proxy: undefined },
  { server: "https://[::1]:6443", env: { HTTPS_PROXY }, proxy: undefined },
  { server: "https://api.test:6443", env: { HTTPS_PROXY, NO_PROXY: "*" }, proxy: undefined },
  { server: "https://api.test:6443", env: { HTTPS_PROXY, NO_PROXY: "other, .test" }, proxy: undefined },
  { server: "https://api.test:6443", env: { HTTPS_PROXY, NO_PROXY: "test" }, proxy: undefined },
  { server: "https://api.test:6443", env: { HTTPS_PROXY, NO_PROXY: "pi.test" }, proxy: HTTPS_PROXY },
  { server: "https://10.1.2.3", env: { HTTPS_PROXY, no_proxy: "10.0.0.0/8" }, proxy: undefined },
  { server: "https://11.1.2.3", env: { HTTPS_PROXY, NO_PROXY: "10.0.0.0/8,::/0,nonsense/9" }, proxy: HTTPS_PROXY },
])("$server with $env goes by $proxy", ({ server, env, proxy }) => {
  expect(environmentProxy(thisMachine(new VirtualClock(), env), server)).toBe(proxy);
});
