import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient, type Document } from 'mongodb';
import type { StackFile } from '@clew/stack';
import { encodeConversation, toOtlpJson } from '@clew/testing/dialects';
import { conversationDocuments, figureDocuments } from '../conversations/workload.ts';
import { insertAll } from '../findings/bench-project.ts';
import { listedDocuments } from '../findings/listed.ts';
import { itemDocuments } from '../knowledge/workload.ts';

export const TRANSCRIPT_MESSAGES = 2_000;
export const TRANSCRIPT_ID = 'long-talk';
export const TRACE_ID = '7c'.repeat(16);
/** Spans of the large trace: one, of which come a hundred, of which come all others. */
export const TRACE_SPANS = 30_000;
const BRANCHES = 100;
const SPANS_OF_BODY = 2_000;
const READY_TIMEOUT_MS = 240_000;
const POLL_MS = 500;
const NOTHING = { id: '', state: '', spanCount: 0 };

/** Items that wait for a review. */
export const QUEUED_ITEMS = 1_000;

interface CallOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

interface Called {
  readonly id: string;
  readonly state?: string;
  readonly spanCount?: number;
}

/** Calls the API with the key of the workspace; rejects if it refuses. */
export type CallApi = (path: string, options?: CallOptions) => Promise<Called>;

export interface SeededProject {
  readonly projectId: string;
  readonly findingId: string;
  /** Items of the queue, in its order. */
  readonly itemIds: readonly string[];
}

export function createCallApi({ gatewayUrl, adminApiKey }: StackFile): CallApi {
  return async (path, { method, body, headers = {} } = {}) => {
    const response = await fetch(new URL(path, gatewayUrl), {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { authorization: `Bearer ${adminApiKey}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Called;
  };
}

/** Project with much in it, most of which is inserted as documents, and with one long conversation. */
export async function seededProject(
  { mongoUrl }: StackFile,
  call: CallApi,
  counts: { findings: number; conversations: number },
): Promise<SeededProject> {
  const { id: projectId } = await call('/v1/projects', { body: { name: 'Workbench bench' } });
  const goal = { body: { name: 'Facts', instruction: 'Learn facts' } };
  const { id: goalId } = await call(`/v1/projects/${projectId}/knowledge/goals`, goal);
  const items = [...queuedItems(projectId, goalId)];
  const [finding] = listedDocuments(projectId, 1);
  const client = await MongoClient.connect(mongoUrl);
  try {
    await insertAll(client.db('clew_diagnostics'), 'findings', listedDocuments(projectId, counts.findings));
    const telemetry = client.db('clew_telemetry');
    await insertAll(telemetry, 'conversations', conversationDocuments(projectId, counts.conversations));
    await insertAll(telemetry, 'conversation_hours', figureDocuments(projectId, counts.conversations).hours);
    await insertAll(client.db('clew_knowledge'), 'items', items);
  } finally {
    await client.close();
  }
  const told = encodeConversation(longTalk(), {
    ...{ dialect: 'genai', startMs: Date.now(), idSeed: TRANSCRIPT_ID, history: 'incremental' },
  });
  const headers = { 'x-clew-project': projectId };
  await call('/v1/traces', { body: toOtlpJson(told), headers });
  for (const spans of bodiesOfTrace())
    await call('/v1/traces', { body: { resourceSpans: [{ scopeSpans: [{ spans }] }] }, headers });
  const untilMs = Date.now() + READY_TIMEOUT_MS;
  const isThere = async () => {
    const { spanCount } = await call(`/v1/projects/${projectId}/traces/${TRACE_ID}?limit=1`).catch(() => NOTHING);
    const { state } = await call(`/v1/projects/${projectId}/conversations/${TRANSCRIPT_ID}`).catch(() => NOTHING);
    return spanCount === TRACE_SPANS && state === 'ready';
  };
  while (!(await isThere())) {
    if (Date.now() > untilMs) throw new Error('The large trace and the long conversation are not there in time');
    await sleep(POLL_MS);
  }
  await checkpoint(mongoUrl);
  return { projectId, findingId: String(finding?.['_id']), itemIds: items.map(({ _id }) => String(_id)).toReversed() };
}

/** Lets the database write to its files what was inserted, which it would else do beside what is measured. */
async function checkpoint(mongoUrl: string): Promise<void> {
  const client = await MongoClient.connect(mongoUrl);
  try {
    await client.db('admin').command({ fsync: 1 });
  } finally {
    await client.close();
  }
}

/** Items as the queue lists them, each with a title of its own; the last one is the newest. */
function* queuedItems(projectId: string, goalId: string): Generator<Document> {
  for (const [index, item] of [...itemDocuments(projectId, goalId, QUEUED_ITEMS)].entries()) {
    yield {
      ...item,
      ...{ title: `Item ${index}`, status: 'active', standing: 'active', reviewed: false },
      ...{ supersededBy: null, heldUntil: null },
      facets: ['*', `goal:${goalId}`, `trace:${String(item['sourceTraceId'])}`, 'conversation:chat', 'subject:project'],
    };
  }
}

function* bodiesOfTrace(): Generator<object[]> {
  for (let from = 0; from < TRACE_SPANS; from += SPANS_OF_BODY)
    yield Array.from({ length: SPANS_OF_BODY }, (_, index) => spanOfTrace(from + index));
}

function spanOfTrace(index: number): object {
  const startMs = Date.now() - TRACE_SPANS + index;
  const parent = index <= BRANCHES ? 0 : 1 + (index % BRANCHES);
  return {
    ...{ traceId: TRACE_ID, spanId: spanIdOf(index), name: index <= BRANCHES ? `step ${index}` : 'call', kind: 1 },
    ...(index === 0 ? {} : { parentSpanId: spanIdOf(parent) }),
    ...{ startTimeUnixNano: `${startMs}000000`, endTimeUnixNano: `${startMs + 5}000000` },
    attributes: [{ key: 'session.id', value: { stringValue: 'large-trace' } }],
  };
}

const spanIdOf = (index: number) => (index + 1).toString(16).padStart(16, '0');

function longTalk() {
  const messages = Array.from({ length: TRANSCRIPT_MESSAGES }, (_, at) =>
    at % 2 === 0
      ? ({ role: 'user', content: `Question ${at}: where is parcel ${at}? `.repeat(3) } as const)
      : ({ role: 'assistant', content: `Parcel ${at - 1} is on its way. `.repeat(8), finishReason: 'stop' } as const),
  );
  return { conversationId: TRANSCRIPT_ID, agent: 'post', model: 'gpt-4o-mini', messages };
}
