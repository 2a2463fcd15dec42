import { ConfigMap, Secret } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import type { ApiError, Attempted, Invalid, NotFound, TooManyRequests } from "./errors.ts";
import { errorFromAnswer } from "./status-error.ts";
import { errorFromTransport } from "./transport-error.ts";

const read: Attempted = { cluster: "west", verb: "get", kind: ConfigMap, key: { namespace: "shop", name: "web" } };
const write: Attempted = { ...read, verb: "patch" };

describe("what the server answers", () => {
  test.each([
    { status: 400, reason: "BadRequest", next: "stall", code: "KUBE_BAD_REQUEST" },
    { status: 401, reason: "Unauthorized", next: "wait", code: "KUBE_UNAUTHORIZED" },
    { status: 403, reason: "Forbidden", next: "wait", code: "KUBE_FORBIDDEN" },
    { status: 404, reason: "NotFound", next: "retry", code: "KUBE_NOT_FOUND" },
    { status: 405, reason: "BadRequest", next: "stall", code: "KUBE_BAD_REQUEST" },
    { status: 406, reason: "UnsupportedMediaType", next: "stall", code: "KUBE_UNSUPPORTED_MEDIA_TYPE" },
    { status: 409, reason: "Conflict", next: "retry", code: "KUBE_CONFLICT" },
    { status: 409, server: "AlreadyExists", reason: "AlreadyExists", next: "retry", code: "KUBE_ALREADY_EXISTS" },
    { status: 410, reason: "Gone", next: "retry", code: "KUBE_GONE" },
    { status: 410, server: "Expired", reason: "Gone", next: "retry", code: "KUBE_GONE" },
    { status: 413, reason: "BadRequest", next: "stall", code: "KUBE_BAD_REQUEST" },
    { status: 415, reason: "UnsupportedMediaType", next: "stall", code: "KUBE_UNSUPPORTED_MEDIA_TYPE" },
    { status: 422, reason: "Invalid", next: "stall", code: "KUBE_INVALID" },
    { status: 429, reason: "TooManyRequests", next: "wait", code: "KUBE_TOO_MANY_REQUESTS" },
    { status: 500, reason: "ServerError", next: "retry", code: "KUBE_SERVER_ERROR" },
    { status: 503, reason: "ServerError", next: "retry", code: "KUBE_SERVER_ERROR" },
    { status: 504, reason: "Timeout", next: "retry", code: "KUBE_TIMEOUT" },
  ])("$status $server is $reason: $next", ({ status, server = "Whatever", reason, next, code }) => {
    // The text speaks of something else: it must not matter.
    const body = { kind: "Status", reason: server, message: "not found, conflict, too many requests" };
    expect(errorFromAnswer(write, { status, body })).toMatchObject({
      reason,
      next,
      code,
      status,
      serverReason: server,
    });
    expect(errorFromAnswer(write, { status })).toBeInstanceOf(Error);
  });

  test("the message names cluster, verb, kind, key, the server's words and its code", () => {
    const error = errorFromAnswer(read, {
      status: 404,
      body: { reason: "NotFound", message: 'configmaps "web" not found' },
    });
    expect(error.message).toBe('cluster west: get ConfigMap shop/web: configmaps "web" not found (404 NotFound)');
    expect(error.attempted).toEqual(read);
  });

  test("a page that is no Status is an error all the same", () => {
    expect(errorFromAnswer(read, { status: 502 }).message).toBe(
      "cluster west: get ConfigMap shop/web: the server answered 502",
    );
  });

  test("an object is missing, or its whole kind", () => {
    const isKindMissing = (body?: object) =>
      (errorFromAnswer(read, { status: 404, ...(body && { body }) }) as NotFound).isKindMissing;
    expect(isKindMissing({ reason: "NotFound", details: { name: "web", kind: "configmaps" } })).toBe(false);
    expect(isKindMissing()).toBe(true);
  });

  test("Invalid carries its causes", () => {
    const causes = [{ field: "spec.replicas", reason: "FieldValueInvalid", message: "must be positive" }];
    const error = errorFromAnswer(write, { status: 422, body: { reason: "Invalid", details: { causes } } });
    expect((error as Invalid).causes).toEqual(causes);
  });

  test.each([
    { answer: { status: 429, retryAfterMs: 3_000 }, afterMs: 3_000 },
    { answer: { status: 429, body: { details: { retryAfterSeconds: 2 } } }, afterMs: 2_000 },
    { answer: { status: 429 }, afterMs: 1_000 },
  ])("$answer asks for a wait of $afterMs ms", ({ answer, afterMs }) => {
    expect((errorFromAnswer(write, answer) as TooManyRequests).retryAfterMs).toBe(afterMs);
  });

  test("of a refused Secret only the fields are told, never what the server quotes of it", () => {
    const attempted = { ...write, kind: Secret };
    const body = {
      reason: "Invalid",
      message: 'data[password]: "hunter2"',
      details: { causes: [{ field: "data[password]" }] },
    };
    const { message } = errorFromAnswer(attempted, { status: 422, body });
    expect(message).toContain("data[password]");
    expect(message).not.toContain("hunter2");
  });
});

describe("what the connection does", () => {
  const failed = (attempted: Attempted, code: string): ApiError =>
    errorFromTransport(attempted, Object.assign(new Error("secret words"), { code }));

  test.each([
    { code: "ECONNREFUSED", reason: "ConnectionLost", isOutcomeUnknown: false },
    { code: "ENOTFOUND", reason: "ConnectionLost", isOutcomeUnknown: false },
    { code: "UND_ERR_CONNECT_TIMEOUT", reason: "ConnectionLost", isOutcomeUnknown: false },
    { code: "ECONNRESET", reason: "ConnectionLost", isOutcomeUnknown: true },
    { code: "UND_ERR_SOCKET", reason: "ConnectionLost", isOutcomeUnknown: true },
    { code: "SELF_SIGNED_CERT_IN_CHAIN", reason: "CertificateRejected" },
    { code: "ERR_TLS_CERT_ALTNAME_INVALID", reason: "CertificateRejected" },
    { code: "CERT_HAS_EXPIRED", reason: "CertificateRejected" },
  ])("$code of a write is $reason, outcome unknown: $isOutcomeUnknown", ({ code, ...expected }) => {
    expect(failed(write, code)).toMatchObject(expected);
    expect(failed(write, code).message).toContain(code);
    expect(failed(write, code).message).not.toContain("secret words");
  });

  test("a read has no outcome to be unknown", () => {
    expect(failed(read, "ECONNRESET")).toMatchObject({ isOutcomeUnknown: false, isStaleConnection: true });
  });

  test("the cause that counts may lie deeper", () => {
    const inner = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    const error = errorFromTransport(write, new AggregateError([inner], "all failed"));
    expect(error).toMatchObject({ reason: "ConnectionLost", isOutcomeUnknown: false });
  });

  test("where the kubeconfig is known, a wrong certificate points at it", () => {
    const attempted = { ...read, origin: "context west of /root/.kube/config" };
    expect(failed(attempted, "CERT_HAS_EXPIRED").message).toContain("of context west of /root/.kube/config");
  });
});
