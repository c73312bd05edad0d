/** What an export says of an Example that the Dataset which takes it in says anew. */
const NOT_TAKEN_OVER = ['id', 'projectId', 'datasetId', 'version', 'createdAt', 'updatedAt'];

/** A line of our own export, or one that was written by hand, without what belongs to the Dataset it came from. */
export function fromOwnLine(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (!NOT_TAKEN_OVER.some((name) => Object.hasOwn(value, name))) return value;
  const members = Object.entries(value).filter(([name]) => !NOT_TAKEN_OVER.includes(name));
  return Object.fromEntries(members);
}
