import { setTimeout as sleep } from 'node:timers/promises';
import type { StackFile } from '@clew/stack';
import type { MongoClient } from 'mongodb';

const POLL_MS = 500;

/** Makes a Dataset that preserves successful behavior. */
export async function createCollecting({ gatewayUrl, apiKey, projectId }: StackFile): Promise<void> {
  const schema = { type: 'chat', version: 1 };
  const response = await fetch(`${gatewayUrl}/v1/projects/${projectId}/datasets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'collects', schema, collectionObjective: 'preserve_successful_behavior' }),
  });
  if (!response.ok) throw new Error(`The Dataset is refused: ${response.status}`);
}

/** Resolves once each collecting Dataset has decided on every conversation. */
export async function untilLookedAt(client: MongoClient, conversations: number): Promise<void> {
  const db = client.db('clew_datasets');
  const datasets = await db.collection('datasets').countDocuments();
  const decided = { state: 'decided' };
  while ((await db.collection('collection_decisions').countDocuments(decided)) < datasets * conversations)
    await sleep(POLL_MS);
}
