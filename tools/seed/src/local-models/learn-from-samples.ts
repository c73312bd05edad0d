import { setTimeout as sleep } from 'node:timers/promises';
import type { KnowledgeBackfill, LearningGoal, RequestedKnowledgeBackfill } from '@clew/contracts';
import type { BringUpOptions } from './bring-up.ts';
import { RefusedError, type ProjectApi } from './project-api.ts';

export interface LearnOptions extends BringUpOptions {
  /** Model name of the form `self/<model id>`. */
  model: string;
  nowMs: number;
}

const GOALS = '/knowledge/goals';
const NAME = 'What the samples teach';
const INSTRUCTION =
  'Collect what holds beyond one conversation: rules and policies, ways to do things, what somebody always wants, and corrections of what was thought to be so.';
/** The samples begin within the hours before they are sent; a later start finds the goal and does not ask again. */
const WINDOW_MS = 24 * 3_600_000;
const MAX_CONVERSATIONS = 200;
const POLL_MS = 1_000;
const MAX_ATTEMPTS = 180;

/**
 * Creates one Learning Goal in the seeded project and one limited backfill over its conversations, only once: a later
 * start finds both. Returns when the backfill has ended. Automatic extraction is left as it is.
 */
export async function learnFromSamples(api: ProjectApi, options: LearnOptions): Promise<void> {
  const goal = await goalOf(api, options.model);
  const path = `${GOALS}/${goal.id}`;
  const { backfills } = await api.call<{ backfills: KnowledgeBackfill[] }>(`${path}/backfills?limit=1`);
  const known = backfills[0]?.backfillId;
  const backfillId = known ?? (await requestBackfill(api, path, options));
  await untilEnded(api, `${path}/backfills/${backfillId}`, options);
}

async function goalOf(api: ProjectApi, model: string): Promise<LearningGoal> {
  const { goals } = await api.call<{ goals: LearningGoal[] }>(`${GOALS}?limit=500`);
  const known = goals.find(({ name }) => name === NAME);
  const body = { name: NAME, instruction: INSTRUCTION, model };
  return known ?? (await api.call<LearningGoal>(GOALS, { method: 'POST', body, idempotencyKey: 'seeded-goal' }));
}

/** Requests the backfill again while it is refused: a model that has just started is probed first. */
async function requestBackfill(api: ProjectApi, path: string, { nowMs, tell, pollMs = POLL_MS }: LearnOptions) {
  const body = { startMs: nowMs - WINDOW_MS, endMs: nowMs, maxConversations: MAX_CONVERSATIONS };
  const request = { method: 'POST', body, idempotencyKey: 'seeded-backfill' } as const;
  for (let attempt = 1, told = ''; ; attempt += 1) {
    try {
      return (await api.call<RequestedKnowledgeBackfill>(`${path}/backfills`, request)).backfillId;
    } catch (error) {
      const isLookedAt = error instanceof RefusedError && error.code === 'MODEL_UNAVAILABLE';
      if (!isLookedAt || attempt === MAX_ATTEMPTS) throw error;
      if (error.message !== told) tell(`Knowledge waits: ${error.message}`);
      told = error.message;
      await sleep(pollMs, undefined, { signal: api.signal });
    }
  }
}

async function untilEnded(api: ProjectApi, path: string, { tell, pollMs = POLL_MS }: LearnOptions): Promise<void> {
  for (let told = ''; ;) {
    const backfill = await api.call<KnowledgeBackfill>(path);
    const line = lineOf(backfill);
    if (line !== told) tell(line);
    told = line;
    if (backfill.endedAt !== null) return;
    await sleep(pollMs, undefined, { signal: api.signal });
  }
}

function lineOf({ state, conversationsSeen, conversationsPending, itemsCreated }: KnowledgeBackfill): string {
  const read = conversationsSeen - conversationsPending;
  return `Knowledge of the samples: ${state}, ${read} conversations read, ${itemsCreated} items (GET .../knowledge/items)`;
}
