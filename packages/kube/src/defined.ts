type OptionalKeys<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

export type Defined<T> = Omit<T, OptionalKeys<T>> & { readonly [K in OptionalKeys<T>]?: Exclude<T[K], undefined> };

/** The object without the fields that are undefined: an absent field and an undefined one are not the same in JSON. */
export function defined<T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>;
}
