import { setTimeout as sleep } from 'node:timers/promises';
import type {
  KnowledgeBackfill,
  KnowledgeItem,
  LearningGoal,
  ModelAvailability,
  RequestedKnowledgeBackfill,
} from '@clew/contracts';
import { bringUp, RefusedError, type ProjectApi } from '@clew/seed';

/** Model for the extraction, and its address; a model of the Model Runtime (`self/...`) is brought up first. */
export interface Reader {
  model: string;
  /** Base URL of its provider, whose name is the first part of the model name. */
  providerUrl?: string;
  providerKey?: string;
}

const POLL_MS = 500;
const DAY_MS = 86_400_000;
/** Prefix of the names of local models, which the Model Runtime serves. */
const LOCAL = 'self/';
const GOAL = {
  name: 'What our conversations teach',
  instruction:
    'Collect what our team can use again in other conversations: rules and policies, ways of working, what customers and colleagues always want, corrections of what we believed, and facts about our products and systems.',
};

/** Makes a model available in a project, whether it is local or at a provider. */
export async function provide(api: ProjectApi, { model, providerUrl, providerKey }: Reader): Promise<void> {
  if (model.startsWith(LOCAL)) {
    await bringUp(api, model.slice(LOCAL.length), { tell });
  } else if (providerUrl !== undefined) {
    const key = providerKey === undefined ? {} : { apiKey: providerKey };
    const body = { name: model.split('/')[0], baseUrl: providerUrl, ...key };
    await api.call('/models/providers', { method: 'POST', body });
  }
  for (let told: string | null = ''; ;) {
    const path = `/models/availability?model=${encodeURIComponent(model)}`;
    const { available, reason } = await api.call<ModelAvailability>(path).catch(stillExamined);
    if (available) return;
    if (reason !== told) tell(`${model} is not available yet: ${reason}`);
    told = reason;
    await pause(api);
  }
}

/** Reports a model that a person plays as not available yet: it is examined for longer than a call may take. */
function stillExamined(error: unknown): { available: boolean; reason: string } {
  if (error instanceof RefusedError && error.status === 504)
    return { available: false, reason: 'it is still examined' };
  throw error;
}

/** Runs a backfill of a new goal over all conversations of a project; resolves once it has ended. */
export async function backfilledGoal(api: ProjectApi, model: string): Promise<KnowledgeBackfill> {
  const goal = await api.call<LearningGoal>('/knowledge/goals', { method: 'POST', body: { ...GOAL, model } });
  const path = `/knowledge/goals/${goal.id}/backfills`;
  const window = { startMs: 0, endMs: Date.now() + DAY_MS };
  const { backfillId } = await api.call<RequestedKnowledgeBackfill>(path, { method: 'POST', body: window });
  for (let told = ''; ;) {
    const backfill = await api.call<KnowledgeBackfill>(`${path}/${backfillId}`);
    const { state, conversationsSeen, conversationsPending, itemsCreated, failureReason } = backfill;
    if (state === 'completed') return backfill;
    if (state !== 'scheduled' && state !== 'running') throw new Error(`The backfill is ${state}: ${failureReason}`);
    const line = `${conversationsSeen - conversationsPending} of ${conversationsSeen} read, ${itemsCreated} items`;
    if (line !== told) tell(line);
    told = line;
    await pause(api);
  }
}

/** All items of a goal, in any status: those that hold, then those that were replaced. */
export async function itemsOf(api: ProjectApi, goalId: string): Promise<KnowledgeItem[]> {
  return [...(await listed(api, goalId, 'active')), ...(await listed(api, goalId, 'archived'))];
}

async function listed(api: ProjectApi, goalId: string, status: KnowledgeItem['status']): Promise<KnowledgeItem[]> {
  const items: KnowledgeItem[] = [];
  for (let cursor = ''; ;) {
    const page = await api.call<{ items: KnowledgeItem[]; nextCursor: string | null }>(
      `/knowledge/items?goalId=${goalId}&status=${status}&limit=500${cursor}`,
    );
    items.push(...page.items);
    if (page.nextCursor === null) return items;
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
}

function pause({ signal }: ProjectApi): Promise<void> {
  return sleep(POLL_MS, undefined, { signal });
}

/** Writes to standard error, because standard output is reserved for the figures. */
function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
