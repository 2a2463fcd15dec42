// Whether names are valid, with the words in which Kubernetes says why not. An empty list means valid.

interface Rule {
  readonly lengthMax: number;
  readonly pattern: string;
  readonly message: string;
  readonly examples: readonly string[];
}

const dnsLabelPattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const labelNamePattern = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

const dns1123Label: Rule = {
  lengthMax: 63,
  pattern: dnsLabelPattern,
  message:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', " +
    "and must start and end with an alphanumeric character",
  examples: ["my-name", "123-abc"],
};

const dns1123Subdomain: Rule = {
  lengthMax: 253,
  pattern: `${dnsLabelPattern}(\\.${dnsLabelPattern})*`,
  message:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', " +
    "and must start and end with an alphanumeric character",
  examples: ["example.com"],
};

const dns1035Label: Rule = {
  lengthMax: 63,
  pattern: "[a-z]([-a-z0-9]*[a-z0-9])?",
  message:
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', " +
    "start with an alphabetic character, and end with an alphanumeric character",
  examples: ["my-name", "abc-123"],
};

const labelName: Rule = {
  lengthMax: 63,
  pattern: labelNamePattern,
  message:
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ["MyName", "my.name", "123-abc"],
};

const labelValue: Rule = {
  lengthMax: 63,
  pattern: `(${labelNamePattern})?`,
  message:
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', " +
    "and must start and end with an alphanumeric character",
  examples: ["MyValue", "my_value", "12345"],
};

/** Names of namespaces, Services of today, container names. */
export function dns1123LabelProblems(value: string): readonly string[] {
  if (isValid(dns1123Label, value)) return [];
  const hasOnlyDotsWrong = !matches(dns1123Label, value) && matches(dns1123Subdomain, value);
  return hasOnlyDotsWrong
    ? [...lengthProblems(dns1123Label, value), "must not contain dots"]
    : problemsOf(dns1123Label, value);
}

/** Names of most objects. */
export function dns1123SubdomainProblems(value: string): readonly string[] {
  return problemsOf(dns1123Subdomain, value);
}

/** Names of Services before 1.34, and of CRDs' plurals. */
export function dns1035LabelProblems(value: string): readonly string[] {
  return problemsOf(dns1035Label, value);
}

/** Keys of labels, annotations and taints; finalizers. */
export function qualifiedNameProblems(value: string): readonly string[] {
  if (isValid(labelName, value)) return [];
  const parts = value.split("/");
  const name = parts.at(-1) ?? "";
  if (parts.length > 2) {
    return [
      `a valid label key ${explain(labelName)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  return [...(parts.length === 2 ? prefixProblems(parts[0] ?? "") : []), ...nameProblems(name)];
}

export function labelValueProblems(value: string): readonly string[] {
  return problemsOf(labelValue, value);
}

function prefixProblems(prefix: string): string[] {
  const problems = prefix === "" ? ["must be non-empty"] : problemsOf(dns1123Subdomain, prefix);
  return problems.map((problem) => `prefix part ${problem}`);
}

function nameProblems(name: string): string[] {
  const problems = [...(name === "" ? ["must be non-empty"] : []), ...problemsOf(labelName, name)];
  return problems.map((problem) => `name part ${problem}`);
}

function problemsOf(rule: Rule, value: string): string[] {
  if (isValid(rule, value)) return [];
  return [...lengthProblems(rule, value), ...(matches(rule, value) ? [] : [explain(rule)])];
}

/** What matches is ASCII: every character is a byte. */
function isValid(rule: Rule, value: string): boolean {
  return value.length <= rule.lengthMax && matches(rule, value);
}

function lengthProblems({ lengthMax }: Rule, value: string): string[] {
  return Buffer.byteLength(value) > lengthMax ? [`must be no more than ${lengthMax} bytes`] : [];
}

const compiled = new Map<string, RegExp>();

function matches({ pattern }: Rule, value: string): boolean {
  let whole = compiled.get(pattern);
  if (!whole) compiled.set(pattern, (whole = new RegExp(`^(?:${pattern})$`)));
  return whole.test(value);
}

function explain({ message, examples, pattern }: Rule): string {
  const listed = examples.map((example) => `'${example}', `).join(" or ");
  return `${message} (e.g. ${listed}regex used for validation is '${pattern}')`;
}
