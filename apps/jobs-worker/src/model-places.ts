import { providerKeyOf } from '@clew/contracts';
import { startBeats } from '@clew/inference';
import { createFairLimiter } from '@clew/kernel';
import type { MessageContext } from '@clew/messaging';
import type { ModelFailure } from './model-failure.ts';

export interface ModelPlacesOptions {
  /** Commands that are worked at at a time. */
  places: number;
  /** How many of them may be of one project, and of one provider. */
  share: number;
  /** How long a command waits for a place before it goes back to its owner; 300,000 by default. */
  patienceMs?: number;
}

/** A command that asks a model, as it tells of itself. */
interface ModelCommand {
  projectId: string;
  data: { model: string };
}

/** Lets commands that wait for models be worked at, no more of one project or provider than its share. */
export type ModelPlaces = <Result>(
  command: ModelCommand,
  context: Pick<MessageContext, 'signal' | 'beat'>,
  work: () => Promise<Result>,
) => Promise<Result | ModelFailure>;

/** Far below the time after which the broker takes a message for lost that is not answered. */
const PATIENCE_MS = 300_000;
const BEAT_INTERVAL_MS = 5_000;
/** How the names of the runtime's own models begin: they run on a machine that all projects share. */
const LOCAL_PREFIX = 'self/';

/**
 * The places of one queue. What waits for one beats, and takes none of the time of its call; what has waited for too long
 * is handed back untried, for its owner to send it again in its turn.
 */
export function createModelPlaces({ places, share, patienceMs = PATIENCE_MS }: ModelPlacesOptions): ModelPlaces {
  const limiter = createFairLimiter({ places, share });
  return async ({ projectId, data: { model } }, { signal, beat }, work) => {
    const keys = [projectId, model.startsWith(LOCAL_PREFIX) ? LOCAL_PREFIX : providerKeyOf(projectId, model)];
    const late = new AbortController();
    const patience = setTimeout(() => late.abort(), patienceMs);
    const beats = startBeats({ beat, beatIntervalMs: BEAT_INTERVAL_MS });
    const begin = () => {
      clearTimeout(patience);
      beats.stop();
    };
    try {
      return await limiter.run(
        keys,
        async () => {
          begin();
          return await work();
        },
        AbortSignal.any([signal, late.signal]),
      );
    } catch (error) {
      signal.throwIfAborted();
      if (!late.signal.aborted) throw error;
      return { ...NO_PLACE };
    } finally {
      begin();
    }
  };
}

const NO_PLACE: ModelFailure = {
  ...{ status: 'later', reason: 'No place for a call became free', retryAfterMs: 0, isBudget: false },
  isUntried: true,
};
