// How each command of the pages is run by the tests. One that no rule covers fails them.

export type Rule =
  /** As it stands; it has to end with 0. */
  | { readonly how: "run" }
  /** Its answer comes about by itself, and the reader looks again until it is there. */
  | { readonly how: "again" }
  /** It goes on until the page is over; the next one comes when it has said this. */
  | { readonly how: "background"; readonly until: RegExp; readonly add?: string }
  /** Ctrl-C when it has said this; it has to end with 0. */
  | { readonly how: "interrupt"; readonly until: RegExp; readonly add?: string }
  /** Other arguments after it, where it would take minutes. */
  | { readonly how: "shorten"; readonly add: string }
  /** Nothing to run: the stage has done it. */
  | { readonly how: "given" }
  /** Another test runs it. */
  | { readonly how: "elsewhere"; readonly because: string; readonly test: string };

/** The operator's own ports may be somebody's on this machine. */
const ANY_PORTS = "--health-port 0 --metrics-addr 0";

const RULES: readonly (readonly [RegExp, Rule])[] = [
  [/^export KUBECONFIG=/, { how: "given" }],
  [/^npm start$/, { how: "elsewhere", because: "it goes on for ever", test: "tools/build.test.ts" }],
  [
    /^npm start -- --no-demo$/,
    { how: "elsewhere", because: "it goes on for ever", test: "packages/cli/test/up.test.ts" },
  ],
  [
    /^npm test$/,
    { how: "elsewhere", because: "it is what runs this", test: "packages/cli/test/docs/commands.test.ts" },
  ],
  [
    /^chaski install.* \| kubectl apply --server-side -f -$/,
    {
      how: "elsewhere",
      because: "it needs every kind of a real API server",
      test: "packages/cli/test/install.real.test.ts",
    },
  ],
  [
    /^kubectl apply --server-side -k config$/,
    {
      how: "elsewhere",
      because: "it needs every kind of a real API server",
      test: "packages/cli/test/install.real.test.ts",
    },
  ],
  [/^helm (install|upgrade) /, { how: "elsewhere", because: "it needs Helm", test: "test/helm/chart.real.test.ts" }],
  [
    /^npm run build -- --pack && npm install --global dist/,
    { how: "elsewhere", because: "it writes to dist", test: "tools/build.test.ts" },
  ],
  [/^npm run image$/, { how: "elsewhere", because: "it writes to dist", test: "test/image/image.real.test.ts" }],
  [/^npm run conformance$/, { how: "shorten", add: "-- --only nothing --sequences 1" }],
  [/^npm run conformance -- /, { how: "shorten", add: "--only nothing --sequences 1" }],
  [/^(npx )?chaski watch shop$/, { how: "interrupt", until: /v4 is released with 100 %/ }],
  [/^npx chaski why shop$/, { how: "again" }],
  [/^chaski operator .*--observe$/, { how: "interrupt", until: /./, add: ANY_PORTS }],
  [/^npx chaski apiserver /, { how: "background", until: /^serving https:/m }],
  [/^node docs\/example\/main\.ts &$/, { how: "background", until: /./ }],
  [/^(npx )?chaski [a-z]+/, { how: "run" }],
  [/^(sed .* \| )?kubectl [-a-z]+/, { how: "run" }],
];

export function ruleFor(command: string): Rule | undefined {
  return RULES.find(([pattern]) => pattern.test(command))?.[1];
}

export const TESTS_ELSEWHERE = RULES.flatMap(([, rule]) => (rule.how === "elsewhere" ? [rule.test] : []));

export function needsKubectl(command: string): boolean {
  return ruleFor(command)?.how !== "elsewhere" && /\bkubectl\b/.test(command);
}

/** A control plane is started by the command itself. */
export function needsRealServer(command: string): boolean {
  return command.startsWith("npm run conformance");
}
