import { readStoredReplies } from './idempotency.ts';
import { erasePublished } from './outbox.ts';
import type { Database } from './database.ts';

/** What was removed of what a service keeps beside its own collections. */
export interface ErasedCopies {
  messages: number;
  replies: number;
}

/**
 * Removes the answers that were stored, and the published messages of earlier versions, which name any of the things by
 * their exact ids.
 */
export async function eraseCopies(
  database: Database,
  projectId: string,
  ids: readonly string[],
): Promise<ErasedCopies> {
  const quoted = ids.map((id) => JSON.stringify(id));
  if (quoted.length === 0) return { messages: 0, replies: 0 };
  const naming = new RegExp(quoted.map(escaped).join('|'), 'u');
  return { messages: await erasePublished(database, naming), replies: await eraseReplies(database, projectId, ids) };
}

async function eraseReplies(database: Database, projectId: string, ids: readonly string[]): Promise<number> {
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

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
