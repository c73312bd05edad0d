/** Members of an exported Example that the importing Dataset assigns anew. */
const NOT_TAKEN_OVER = ['id', 'projectId', 'datasetId', 'version', 'createdAt', 'updatedAt'];

/** Takes a line of our own export, or a handwritten one, without the members that belong to the original Dataset. */
export function fromOwnLine(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (!NOT_TAKEN_OVER.some((name) => Object.hasOwn(value, name))) return value;
  const members = Object.entries(value).filter(([name]) => !NOT_TAKEN_OVER.includes(name));
  return Object.fromEntries(members);
}
