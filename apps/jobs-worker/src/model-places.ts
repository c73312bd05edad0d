import { providerKeyOf } from '@clew/contracts';
import { startHeartbeats } from '@clew/inference';
import { createFairLimiter } from '@clew/kernel';
import type { MessageContext } from '@clew/messaging';
import type { ModelFailure } from './model-failure.ts';

export interface ModelPlacesOptions {
  /** Commands that may be in progress at a time. */
  places: number;
  /** Places that one project, or one provider, may hold at a time. */
  share: number;
  /** Time in milliseconds that a command waits for a place before it goes back to its owner; 300,000 by default. */
  patienceMs?: number;
}

/** Fields of a command that say whose places it needs. */
interface ModelCommand {
  projectId: string;
  data: { model: string };
}

/** Runs a command once it has a place; one project or provider holds no more places than its share. */
export type ModelPlaces = <Result>(
  command: ModelCommand,
  context: Pick<MessageContext, 'signal' | 'heartbeat'>,
  work: () => Promise<Result>,
) => Promise<Result | ModelFailure>;

/** Far below the time after which the broker treats an unacknowledged message as lost. */
const PATIENCE_MS = 300_000;
const HEARTBEAT_INTERVAL_MS = 5_000;
/** Name prefix of the runtime's own models, which run on a machine that all projects share. */
const LOCAL_PREFIX = 'self/';

/**
 * Manages the places of one queue. A command that waits for a place sends heartbeats, and the wait does not count
 * towards the deadline of its call. After too long a wait it is handed back untried, for its owner to send it again in
 * its turn.
 */
export function createModelPlaces({ places, share, patienceMs = PATIENCE_MS }: ModelPlacesOptions): ModelPlaces {
  const limiter = createFairLimiter({ places, share });
  return async ({ projectId, data: { model } }, { signal, heartbeat }, work) => {
    const keys = [projectId, model.startsWith(LOCAL_PREFIX) ? LOCAL_PREFIX : providerKeyOf(projectId, model)];
    const late = new AbortController();
    const patience = setTimeout(() => late.abort(), patienceMs);
    const heartbeats = startHeartbeats({ heartbeat, heartbeatIntervalMs: HEARTBEAT_INTERVAL_MS });
    const begin = () => {
      clearTimeout(patience);
      heartbeats.stop();
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
