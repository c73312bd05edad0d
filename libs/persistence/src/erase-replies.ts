import { readStoredReplies } from './idempotency.ts';
import type { Database } from './database.ts';

/** Removes the stored replies of a project that contain any of the exact ids; resolves with their number. */
export async function eraseReplies(database: Database, projectId: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const inPath = new Set(ids.map(encodeURIComponent));
  const quoted = ids.map((id) => JSON.stringify(id));
  let count = 0;
  for await (const reply of readStoredReplies(database, `/v1/projects/${projectId}/`)) {
    const isNamed = reply.path.split('/').some((part) => inPath.has(part));
    if (!isNamed && !quoted.some((id) => reply.text.includes(id))) continue;
    await reply.erase();
    count += 1;
  }
  return count;
}
