import { providerKeyOf } from '@clew/contracts';
import type { ProviderGates } from '@clew/persistence';
import type { StoredGoal } from '../goals/index.ts';
import type { ModelState } from '../models/index.ts';
import type { AvailableModel } from './extraction-command.ts';
import { afterFailure, type Extraction } from './extraction.ts';

/** Decision about one row. */
export type Step =
  | { kind: 'ask'; state: AvailableModel; goal: StoredGoal }
  | { kind: 'put'; extraction: Extraction }
  | { kind: 'hold'; lookAgainMs: number }
  | { kind: 'end'; isFailed: boolean };

/** Facts about a project on which the decisions depend. */
export interface Known {
  goals: ReadonlyMap<string, StoredGoal>;
  models: ReadonlyMap<string, ModelState>;
  /** Model by which a worker embeds the items it finds; null if search has to rely on words. */
  embeddingModel: string | null;
  isEnabled: boolean;
  /** Backfills that have not ended. */
  waiting: ReadonlySet<string>;
  gates: Pick<ProviderGates, 'closedUntil'>;
}

/** Poll interval in milliseconds for a model that is away, in case nobody reports that it is back. */
const LOOK_AGAIN_MS = 15_000;
/** Representative row: one held extraction per goal is polled; the rest wait up to an hour, or until it can go on. */
const STOOD_FOR_MS = 3_600_000;
/** Age after which conversations that automatic extraction could not read are left to a backfill. */
const CATCH_UP_MS = 7 * 24 * 3_600_000;

export function stepOf(
  extraction: Extraction,
  { goals, models, isEnabled, waiting, gates }: Known,
  nowMs: number,
): Step {
  const goal = goals.get(extraction.goalId);
  const isOver = goal === undefined || goal.status === 'archived' || goal.revision !== extraction.goalRevision;
  if (isOver) return { kind: 'end', isFailed: false };
  const isWaitedFor = extraction.backfillIds.some((id) => waiting.has(id));
  if (!isWaitedFor && (!isEnabled || extraction.since + CATCH_UP_MS < nowMs)) return { kind: 'end', isFailed: false };
  if (goal.status === 'paused') return { kind: 'hold', lookAgainMs: LOOK_AGAIN_MS };
  if (extraction.state === 'asked') {
    const again = afterFailure(extraction, { retryAfterMs: null, isBudget: false }, nowMs);
    return again === undefined ? { kind: 'end', isFailed: true } : { kind: 'put', extraction: again };
  }
  const state = models.get(goal.model) ?? { kind: 'unknown' };
  if (state.kind !== 'available') return { kind: 'hold', lookAgainMs: LOOK_AGAIN_MS };
  const closedUntil = gates.closedUntil(providerKeyOf(extraction.projectId, state.model));
  if (closedUntil !== undefined) return { kind: 'hold', lookAgainMs: closedUntil - nowMs };
  return { kind: 'ask', state, goal };
}

/**
 * Holds rows that were considered together. One row per goal represents the others, so the polling cost does not grow
 * with the number of held rows.
 */
export function createHold(nowMs: number): (extraction: Extraction, lookAgainMs: number) => Extraction {
  const goals = new Set<string>();
  return (extraction, lookAgainMs) => {
    const isFirst = !goals.has(extraction.goalId);
    goals.add(extraction.goalId);
    return { ...extraction, state: 'held', dueAt: nowMs + (isFirst ? lookAgainMs : STOOD_FOR_MS) };
  };
}
