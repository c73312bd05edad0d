import { setTimeout as sleep } from 'node:timers/promises';
import type { StackFile } from '@clew/stack';
import type { MongoClient } from 'mongodb';

const POLL_MS = 500;

/** Makes a Dataset that preserves successful behavior, and never catches up; resolves with its id. */
export async function createCollecting(stack: StackFile): Promise<string> {
  const { id } = await call(stack, 'POST', '', {
    ...{ name: 'collects', schema: { type: 'chat', version: 1 }, collectionCatchUp: null },
    collectionObjective: 'preserve_successful_behavior',
  });
  return id;
}

/** Switches the collection of a Dataset on or off. */
export async function setCollecting(stack: StackFile, datasetId: string, collectionEnabled: boolean): Promise<void> {
  await call(stack, 'PATCH', `/${datasetId}`, { collectionEnabled });
}

/** Counts the decisions that Datasets have made on conversations. */
export async function decisionsOf(client: MongoClient): Promise<number> {
  return await client.db('clew_datasets').collection('collection_decisions').countDocuments({ state: 'decided' });
}

/** Resolves once there are so many decisions. */
export async function untilDecided(client: MongoClient, decisions: number): Promise<void> {
  while ((await decisionsOf(client)) < decisions) await sleep(POLL_MS);
}

async function call(
  { gatewayUrl, apiKey, projectId }: StackFile,
  method: string,
  path: string,
  body: object,
): Promise<{ id: string }> {
  const response = await fetch(`${gatewayUrl}/v1/projects/${projectId}/datasets${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The Dataset is refused: ${response.status}`);
  return (await response.json()) as { id: string };
}
