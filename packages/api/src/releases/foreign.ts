// Parts of other projects' APIs that stand inside our kinds: kept whole, read only as far as the code needs them.

type Fields = Readonly<Record<string, unknown>>;

/** networking.istio.io TrafficPolicy, proto JSON. */
export type IstioTrafficPolicy = Fields;

/** networking.istio.io HTTPFaultInjection, proto JSON. */
export type IstioHttpFault = Fields;

/** keda.sh ScaleTriggers. */
export interface KedaTrigger extends Fields {
  readonly type: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly authenticationRef?: Fields;
}

/** monitoring.coreos.com Rule. */
export type PrometheusAlertRule = Fields;

/** monitoring.coreos.com ServiceMonitorSpec. */
export interface ServiceMonitorSpec extends Fields {
  readonly endpoints?: readonly ServiceMonitorEndpoint[];
}

export interface ServiceMonitorEndpoint extends Fields {
  readonly metricRelabelings?: readonly (Fields & { readonly regex?: string })[];
}
