import { setTimeout as sleep } from 'node:timers/promises';
import type {
  Conversation,
  KnowledgeBackfill,
  KnowledgeItem,
  LearningGoal,
  RequestedKnowledgeBackfill,
  Rejections,
} from '@clew/contracts';
import { addedUp } from '@clew/knowledge';
import { createProjectApi, type ProjectApi } from '@clew/seed';
import { withTemporaryStack } from '@clew/stack';
import { createEvaluatedProject } from '../findings/evaluated-project.ts';
import { itemsOf, provide, type Reader } from '../knowledge/backfilled-goal.ts';
import { askProvider } from '../reviewed/ask-provider.ts';
import { dialogueFigures, type ReadDialogue } from './dialogue-figures.ts';
import { readDialogues, type Dialogue } from './dialogue.ts';
import { judgeDialogue, type JudgedDialogue } from './judge-dialogue.ts';

export interface DialogueOptions extends Reader {
  /** Model of the same provider that judges what was learned; without it, only places and words are counted. */
  judge?: string | undefined;
}

const POLL_MS = 1_000;
const DAY_MS = 86_400_000;
/** A person who plays the model takes hours. */
const ENDS_WITHIN_MS = 8 * 3_600_000;
const SETTINGS = { RATE_LIMIT_PER_SECOND: '100000' };

/** Has a model learn from dialogues with reference facts, through the whole system, and compares what it learned. */
export async function evaluateDialogues(folder: string, options: DialogueOptions): Promise<object> {
  const dialogues = readDialogues(folder);
  const { read, rejected } = await withTemporaryStack(SETTINGS, async ({ stackFile }) => {
    const project = await createEvaluatedProject(stackFile, 'dialogues');
    const { id: projectId, apiKey } = project;
    const signal = AbortSignal.timeout(ENDS_WITHIN_MS);
    const api = createProjectApi({ gatewayUrl: stackFile.gatewayUrl, apiKey, projectId, signal });
    await provide(api, options);
    for (const dialogue of dialogues)
      await importDialogue(`${stackFile.gatewayUrl}/v1/projects/${projectId}`, apiKey, dialogue);
    const all = dialogues.flatMap(conversationIdsOf);
    await project.untilAnalysed(all.length);
    const learned = await Promise.all(dialogues.map((dialogue) => learn(api, dialogue, options.model)));
    return {
      read: await Promise.all(learned.map(({ dialogue, goalId }) => readBack(api, dialogue, goalId))),
      rejected: learned.reduce<Rejections>((sum, each) => addedUp(sum, each.rejected), {}),
    };
  });
  for (const { dialogue, items } of read) {
    for (const { content, status, authority, subject } of items)
      tell(`${dialogue.id}, ${status}, ${authority}, ${subject.name}: ${content}`);
  }
  const judged = await judgedBy(read, options);
  return { model: options.model, rejected, ...dialogueFigures(read), ...(judged && { judged: summed(judged) }) };
}

function conversationIdsOf({ id, conversations }: Dialogue): string[] {
  return conversations.map((_, at) => `${id}-${at}`);
}

/** Imports each message for itself, so that it has its own time. */
async function importDialogue(base: string, apiKey: string, dialogue: Dialogue): Promise<void> {
  const ids = conversationIdsOf(dialogue);
  const lines = dialogue.conversations.flatMap(({ messages }, conversation) =>
    messages.map(({ at, ...message }) =>
      JSON.stringify({ id: ids[conversation], messages: [message], metadata: { startedAt: at } }),
    ),
  );
  const response = await fetch(`${base}/conversations/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  if (!response.ok) throw new Error(`The import answered ${response.status}: ${await response.text()}`);
}

/** Has the model read the conversations of a dialogue, each once the one before has been read. */
async function learn(api: ProjectApi, dialogue: Dialogue, model: string) {
  const goal = await api.call<LearningGoal>('/knowledge/goals', { method: 'POST', body: { ...dialogue.goal, model } });
  let rejected: Rejections = {};
  for (const { messages } of dialogue.conversations) {
    const startMs = (messages.at(-1)?.at ?? 0) - 1;
    const path = `/knowledge/goals/${goal.id}/backfills`;
    const body = { startMs, endMs: startMs + DAY_MS };
    const { backfillId } = await api.call<RequestedKnowledgeBackfill>(path, { method: 'POST', body });
    const ended = await untilEnded(api, `${path}/${backfillId}`);
    rejected = addedUp(rejected, ended.rejected);
    tell(`${dialogue.id}: ${ended.itemsCreated} items, ${ended.itemsMerged} merged, ${JSON.stringify(ended.rejected)}`);
  }
  return { dialogue, goalId: goal.id, rejected };
}

async function untilEnded(api: ProjectApi, path: string): Promise<KnowledgeBackfill> {
  for (;;) {
    const backfill = await api.call<KnowledgeBackfill>(path);
    if (backfill.state === 'completed') return backfill;
    if (backfill.state === 'failed' || backfill.state === 'cancelled') {
      throw new Error(`The backfill is ${backfill.state}: ${backfill.failureReason}`);
    }
    await sleep(POLL_MS, undefined, { signal: api.signal });
  }
}

async function readBack(api: ProjectApi, dialogue: Dialogue, goalId: string): Promise<ReadDialogue> {
  const conversationIds = conversationIdsOf(dialogue);
  const read = await Promise.all(
    conversationIds.map((id) => api.call<Conversation>(`/conversations/${encodeURIComponent(id)}`)),
  );
  const messages = new Map(read.map((conversation) => [conversation.id, conversation.messages]));
  // A backfill also reads other dialogues of the same day.
  const isOwn = ({ evidence }: KnowledgeItem) =>
    evidence.some(({ conversationId }) => conversationIds.includes(conversationId));
  return { dialogue, conversationIds, messages, items: (await itemsOf(api, goalId)).filter(isOwn) };
}

async function judgedBy(
  read: readonly ReadDialogue[],
  { judge, providerUrl, providerKey }: DialogueOptions,
): Promise<JudgedDialogue[] | undefined> {
  if (judge === undefined || providerUrl === undefined) return undefined;
  const ask = askProvider({ url: providerUrl, key: providerKey, model: judge });
  const judged = await Promise.all(read.map((each) => judgeDialogue(ask, each)));
  for (const [at, { wrong, missed }] of judged.entries()) {
    for (const each of wrong) tell(`${read[at]?.dialogue.id}, wrong: ${each}`);
    for (const each of missed) tell(`${read[at]?.dialogue.id}, missed: ${each}`);
  }
  return judged;
}

function summed(judged: readonly JudgedDialogue[]) {
  const sum = (of: 'found' | 'facts' | 'right' | 'items') => judged.reduce((total, each) => total + each[of], 0);
  return {
    recall: { of: sum('facts'), hits: sum('found') },
    precision: { of: sum('items'), hits: sum('right') },
  };
}

/** Writes to standard error, because standard output is reserved for the figures. */
function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
