/** Whether `version` is newer than `than`. Versions are integers of any size, comparable within one kind of one cluster. */
export function isAfter(version: string, than: string): boolean {
  return version.length === than.length ? version > than : version.length > than.length;
}
