import type { TrackerProvider } from '@clew/contracts';
import { nativeDb, type Database } from '@clew/persistence';
import { blocked, FREE, waitOf, withCreation, type Pace } from './pace.ts';

export interface PacedConnector {
  id: string;
  projectId: string;
  provider: TrackerProvider;
}

export interface PaceStore {
  /** Time until the next call may be made. */
  waitOf(connector: PacedConnector, nowMs: number): Promise<number>;
  /** Counts a creation and returns 0, or returns how long it has to wait. */
  create(connector: PacedConnector, nowMs: number): Promise<number>;
  /** Makes all calls with these credentials wait. */
  block(connector: PacedConnector, untilMs: number): Promise<void>;
}

interface PaceDocument extends Pace {
  _id: string;
  projectId: string;
  version: number;
}

/** Attempts to count: other processes count at the same time. */
const MAX_TRIES = 20;
const RETRY_MS = 1_000;

export function createPaceStore({ connection }: Database): PaceStore {
  const paces = nativeDb(connection).collection<PaceDocument>('tracker_paces');
  const read = ({ id }: PacedConnector) => paces.findOne({ _id: id });

  /** Writes a pace if it is still the one that was read. */
  async function replace({ id, projectId }: PacedConnector, known: PaceDocument | null, next: Pace): Promise<boolean> {
    const version = known?.version ?? 0;
    const fields = { ...next, projectId, version: version + 1 };
    if (known !== null) return (await paces.updateOne({ _id: id, version }, { $set: fields })).matchedCount > 0;
    const { upsertedCount } = await paces.updateOne({ _id: id }, { $setOnInsert: fields }, { upsert: true });
    return upsertedCount > 0;
  }

  return {
    async waitOf(connector, nowMs) {
      return waitOf((await read(connector)) ?? FREE, nowMs);
    },
    async create(connector, nowMs) {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const known = await read(connector);
        const counted = withCreation(known ?? FREE, connector.provider, nowMs);
        if ('waitMs' in counted) return counted.waitMs;
        if (await replace(connector, known, counted.pace)) return 0;
      }
      return RETRY_MS;
    },
    async block(connector, untilMs) {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const known = await read(connector);
        if (await replace(connector, known, blocked(known ?? FREE, untilMs))) return;
      }
    },
  };
}
