import { setTimeout as sleep } from 'node:timers/promises';
import { SCOPES, type Conversation, type ConversationDiagnosis, type ConversationSummary } from '@clew/contracts';
import type { StackFile } from '@clew/stack';
import { MongoClient } from 'mongodb';

const POLL_MS = 500;
const READY_TIMEOUT_MS = 180_000;

/** Project that receives one set of conversations. */
export interface EvaluatedProject {
  id: string;
  apiKey: string;
  /** Resolves once `count` conversations are ready and their Rules have run. */
  untilAnalysed(count: number): Promise<void>;
  conversation(conversationId: string): Promise<Conversation>;
  diagnosis(conversationId: string): Promise<ConversationDiagnosis>;
}

/** Addresses and key of a stack. */
export type EvaluatedStack = Pick<StackFile, 'gatewayUrl' | 'mongoUrl' | 'adminApiKey'>;

export async function createEvaluatedProject(stack: EvaluatedStack, name: string): Promise<EvaluatedProject> {
  const { gatewayUrl, adminApiKey } = stack;
  const project = await callJson<{ id: string }>(`${gatewayUrl}/v1/projects`, String(adminApiKey), { name });
  const base = `${gatewayUrl}/v1/projects/${project.id}`;
  const { secret } = await callJson<{ secret: string }>(`${base}/api-keys`, String(adminApiKey), {
    name,
    scopes: SCOPES,
  });
  return {
    id: project.id,
    apiKey: secret,
    diagnosis: (id) =>
      callJson<ConversationDiagnosis>(`${base}/diagnostics/conversations/${encodeURIComponent(id)}`, secret),
    conversation: (id) => callJson<Conversation>(`${base}/conversations/${encodeURIComponent(id)}`, secret),
    async untilAnalysed(count) {
      const deadlineMs = Date.now() + READY_TIMEOUT_MS;
      for (;;) {
        const ready = (await readyConversations(base, secret)).length;
        if (ready >= count && (await analysedConversations(stack, project.id)) >= count) return;
        if (Date.now() > deadlineMs) throw new Error(`Only ${ready} of ${count} conversations are ready and analysed`);
        await sleep(POLL_MS);
      }
    },
  };
}

async function readyConversations(base: string, apiKey: string): Promise<ConversationSummary[]> {
  const { conversations } = await callJson<{ conversations: ConversationSummary[] }>(
    `${base}/conversations?limit=500`,
    apiKey,
  );
  return conversations.filter(({ state }) => state === 'ready');
}

/**
 * Counts conversations whose runs have all ended. It reads the database, because no route tells it for a whole project.
 */
async function analysedConversations({ mongoUrl }: EvaluatedStack, projectId: string): Promise<number> {
  const client = await MongoClient.connect(mongoUrl);
  try {
    const analyses = client.db('clew_diagnostics').collection('analyses');
    const begun = await analyses.distinct('conversationId', { projectId });
    const waiting = await analyses.distinct('conversationId', { projectId, endedAt: null });
    return begun.length - waiting.length;
  } finally {
    await client.close();
  }
}

async function callJson<Body>(url: string, apiKey: string, body?: unknown): Promise<Body> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
}
