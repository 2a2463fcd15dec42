interface Named {
  readonly name: string;
}

export function targetOf<T extends Named>({ targets }: { readonly targets: readonly T[] }, name: string): T {
  const target = targets.find((each) => each.name === name);
  if (!target) throw new Error(`there is no ${name}`);
  return target;
}
