/** Content stays outside of the world: a reference and a hash stand for it. */
export interface ConfigSource {
  readonly kind: "Secret" | "ConfigMap" | "ExternalSecret";
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly hash: string;
  /** A Secret's type. */
  readonly type?: string;
  /** An ExternalSecret's spec: it holds references, no secret. */
  readonly spec?: Readonly<Record<string, unknown>>;
}
