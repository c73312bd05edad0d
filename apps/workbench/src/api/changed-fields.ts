export interface ChangedField {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Members of every thing that change with any change of it. */
const TIMES: readonly string[] = ['updatedAt', 'createdAt'];

/** Members in which two versions of a thing differ. */
export function changedFields(before: object, after: object): ChangedField[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((name) => !TIMES.includes(name) && JSON.stringify(old.get(name)) !== JSON.stringify(now.get(name)))
    .map((name) => ({ name, before: old.get(name), after: now.get(name) }));
}

/** Value as a person reads it in a line. */
export function fieldText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
