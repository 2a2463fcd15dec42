// What happens to every kind alike.
import type { ConformanceCase } from "../case.ts";
import { objectOf, type Sample, samples } from "./samples.ts";

export const lifecycleCases: readonly ConformanceCase[] = samples.flatMap(
  (sample) =>
    [
      {
        name: `${sample.kind}: create, then read`,
        run: async ({ api, path }) => {
          await api.post(collection(sample, path), objectOf(sample, "one"));
          await api.get(path(sample.apiVersion, sample.plural, "one"));
        },
      },
      {
        name: `${sample.kind}: create twice`,
        run: async ({ api, path }) => {
          await api.post(collection(sample, path), objectOf(sample, "one"));
          await api.post(collection(sample, path), objectOf(sample, "one"));
        },
      },
      {
        name: `${sample.kind}: update with what was read changes nothing`,
        run: async ({ api, path }) => {
          const { body } = await api.post(collection(sample, path), objectOf(sample, "one"));
          await api.put(path(sample.apiVersion, sample.plural, "one"), body);
        },
      },
      {
        name: `${sample.kind}: merge patch`,
        run: async ({ api, path }) => {
          const { body } = await api.post(collection(sample, path), objectOf(sample, "one"));
          await api.merge(path(sample.apiVersion, sample.plural, "one"), sample.change);
          await api.put(path(sample.apiVersion, sample.plural, "one"), body);
        },
      },
      {
        name: `${sample.kind}: server-side apply, again, and by another manager`,
        run: async ({ api, path }) => {
          const at = path(sample.apiVersion, sample.plural, "one");
          const labelled = { ...objectOf(sample, "one"), metadata: { name: "one", labels: { by: "b" } } };
          await api.apply(`${at}?fieldManager=a`, objectOf(sample, "one"));
          await api.apply(`${at}?fieldManager=a`, objectOf(sample, "one"));
          await api.apply(`${at}?fieldManager=b`, labelled);
          await api.get(at);
        },
      },
      {
        name: `${sample.kind}: list, with labels and names`,
        run: async ({ api, path }) => {
          const at = collection(sample, path);
          await api.post(at, objectOf(sample, "one"));
          await api.post(at, { ...objectOf(sample, "two"), metadata: { name: "two", labels: { color: "red" } } });
          await api.get(`${at}?labelSelector=color%3Dred`);
          await api.get(`${at}?fieldSelector=metadata.name%3Done`);
        },
      },
      {
        name: `${sample.kind}: delete, then delete again`,
        run: async ({ api, path }) => {
          await api.post(collection(sample, path), objectOf(sample, "one"));
          await api.delete(path(sample.apiVersion, sample.plural, "one"));
          await api.delete(path(sample.apiVersion, sample.plural, "one"));
        },
      },
      {
        name: `${sample.kind}: as a table`,
        run: async ({ api, path }) => {
          await api.post(collection(sample, path), objectOf(sample, "one"));
          await api.get(`${collection(sample, path)}?includeObject=None`, {
            accept: "application/json;as=Table;g=meta.k8s.io;v=v1",
          });
        },
      },
    ] satisfies ConformanceCase[],
);

function collection({ apiVersion, plural }: Sample, path: (apiVersion: string, plural: string) => string): string {
  return path(apiVersion, plural);
}
