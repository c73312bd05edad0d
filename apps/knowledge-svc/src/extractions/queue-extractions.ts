import type { conversationReady, EnvelopeOf } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import type { GoalStore, StoredGoal } from '../goals/index.ts';
import type { SettingsStore } from '../settings/index.ts';
import { afterReady, extractionIdOf, type Ready, type Extraction } from './extraction.ts';
import type { ExtractionStore } from './extractions.store.ts';

export interface Wanted {
  goal: StoredGoal;
  conversations: readonly Ready[];
  backfillId: string | null;
  requestId: string | null;
}

/**
 * Queues extractions for a goal, on behalf of a backfill or the ready event. Returns how many of them that backfill
 * waits for.
 */
export type QueueExtractions = (tx: Transaction, wanted: Wanted, nowMs: number) => Promise<number>;

export function createQueueExtractions(extractions: ExtractionStore): QueueExtractions {
  return async (tx, { goal, conversations, backfillId, requestId }, nowMs) => {
    const target = { projectId: goal.projectId, goalId: goal.id, goalRevision: goal.revision };
    const latest = new Map(conversations.map((ready) => [extractionIdOf(target, ready.conversationId), ready]));
    const known = await extractions.getMany(tx, [...latest.keys()]);
    const changed: Extraction[] = [];
    let pending = 0;
    for (const [id, ready] of latest) {
      const after = afterReady(known.get(id), target, ready, { backfillId, requestId, nowMs });
      if (after !== undefined) changed.push(after);
      const current = after ?? known.get(id);
      if (backfillId !== null && current?.backfillIds.includes(backfillId) === true) pending += 1;
    }
    await extractions.save(tx, changed);
    return pending;
  };
}

export interface TakeReadyDependencies {
  database: Database;
  settings: SettingsStore;
  goals: GoalStore;
  queueExtractions: QueueExtractions;
  clock: Clock;
  /** Wakes the loop that hands extractions out. */
  wake(): void;
}

/** Maximum active goals of a project that get automatic extractions: the newest ones. */
const MAX_GOALS = 500;

/** Queues extractions of ready conversations for each active goal, if the project has switched extraction on. */
export function createTakeReady(dependencies: TakeReadyDependencies) {
  const { database, settings, goals, queueExtractions, clock, wake } = dependencies;
  return async (messages: readonly EnvelopeOf<typeof conversationReady>[]): Promise<void> => {
    const ofProject = Map.groupBy(messages, ({ projectId }) => projectId);
    const known = await settings.getMany([...ofProject.keys()]);
    for (const [projectId, some] of ofProject) {
      const { extractionEnabled, enabledSince } = known.get(projectId) ?? { extractionEnabled: false, enabledSince: 0 };
      if (!extractionEnabled) continue;
      const conversations = some
        .flatMap(({ data }) => data.conversations)
        .filter(({ messageCount, lastActivityAt }) => messageCount > 0 && lastActivityAt >= enabledSince)
        .toSorted((one, other) => one.revision - other.revision);
      if (conversations.length === 0) continue;
      const { items: active } = await goals.list(projectId, { status: 'active' }, { limit: MAX_GOALS });
      const requestId = some[0]?.requestId ?? null;
      // If a goal changes meanwhile, the rows of its old revision end without any work.
      await database.withTransaction(async (tx) => {
        for (const goal of active) {
          await queueExtractions(tx, { goal, conversations, backfillId: null, requestId }, clock.now());
        }
      });
    }
    wake();
  };
}
