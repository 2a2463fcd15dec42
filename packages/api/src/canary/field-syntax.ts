import { compareQuantities, dns1123SubdomainProblems, parseQuantity } from "@chaski/kube";

const ZERO = parseQuantity("0");

export function isPositiveQuantity(text: string): boolean {
  const quantity = parseQuantity(text);
  return quantity.ok && ZERO.ok && compareQuantities(quantity.value, ZERO.value) > 0;
}

export function isDeploymentName(text: string): boolean {
  return dns1123SubdomainProblems(text).length === 0;
}
