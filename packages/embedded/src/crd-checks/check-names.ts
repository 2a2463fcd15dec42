// Names as Kubernetes wants them, and its words for those that are not.

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain = `${label}(\\.${label})*`;
const dns1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";

/** Empty: the name is fine. */
export function checkSubdomain(name: string): string[] {
  const problems = name.length > 253 ? ["must be no more than 253 characters"] : [];
  if (new RegExp(`^${subdomain}$`).test(name)) return problems;
  return [
    ...problems,
    `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomain}')`,
  ];
}

export function checkDns1035Label(name: string): string[] {
  const problems = name.length > 63 ? ["must be no more than 63 characters"] : [];
  if (new RegExp(`^${dns1035}$`).test(name)) return problems;
  return [
    ...problems,
    `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${dns1035}')`,
  ];
}
