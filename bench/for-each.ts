const WRITERS = 16;

/** Sixteen at a time. */
export async function forEach(names: readonly string[], act: (name: string) => Promise<unknown>): Promise<void> {
  const left = [...names];
  const work = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) await act(name);
  };
  await Promise.all(Array.from({ length: WRITERS }, work));
}
