import { createFairLimiter } from '@clew/kernel';
import type { IssueTracker, Outcome, TrackerCall } from '@clew/issue-trackers';
import type { Connectors, StoredConnector } from '../connectors/index.ts';
import type { PaceStore } from './pace.store.ts';
import type { StoredWorkItem } from './work-item.ts';

/** Calls to providers in one process: in total, and for one project or connector. */
const PLACES = { places: 32, share: 4 };

export interface TrackerCallsDependencies {
  connectors: Connectors;
  paces: PaceStore;
  now: () => number;
}

/** Place of an issue, and the connector by which it is called. */
export type Callable = Pick<StoredWorkItem, 'projectId' | 'connectorId' | 'destination'>;

/** Tracker of a work item that may be called now, or why it may not. */
export type Opened =
  | { kind: 'open'; tracker: IssueTracker; connector: StoredConnector }
  | { kind: 'closed'; reason: string }
  | { kind: 'wait'; waitMs: number };

export type TrackerCalls = ReturnType<typeof createTrackerCalls>;

/** Calls the issue trackers of work items, fairly between projects and as the providers allow it. */
export function createTrackerCalls({ connectors, paces, now }: TrackerCallsDependencies) {
  const limiter = createFairLimiter(PLACES);

  return {
    async open({ projectId, connectorId, destination }: Callable): Promise<Opened> {
      const connector = await connectors.read(projectId, connectorId);
      if (connector === undefined) return { kind: 'closed', reason: 'The connector of the work item was removed' };
      if (!connector.enabled) return { kind: 'closed', reason: 'The connector of the work item is switched off' };
      const waitMs = await paces.waitOf(connector, now());
      if (waitMs > 0) return { kind: 'wait', waitMs };
      try {
        return { kind: 'open', connector, tracker: connectors.trackerOf(connector, destination) };
      } catch (error) {
        return { kind: 'closed', reason: error instanceof Error ? error.message : 'The credentials cannot be read' };
      }
    },

    /** Takes a place for a call; undefined if the signal is aborted before one is free. */
    async enter({ projectId, id }: StoredConnector, signal: AbortSignal): Promise<(() => void) | undefined> {
      return await limiter.enter([projectId, id], signal).catch(() => undefined);
    },

    /** Makes a call, and has all others with these credentials wait where the provider asks for it. */
    async call<Value>(
      connector: StoredConnector,
      send: (call: TrackerCall) => Promise<Outcome<Value>>,
      call: TrackerCall,
    ): Promise<Outcome<Value>> {
      const outcome = await send(call);
      if (outcome.kind === 'later' && outcome.reason === 'rate_limited' && outcome.retryAfterMs !== null) {
        await paces.block(connector, now() + outcome.retryAfterMs);
      }
      return outcome;
    },
  };
}
