import { setTimeout as sleep } from 'node:timers/promises';
import type { RetentionMechanism } from '@clew/contracts';
import { systemClock } from '@clew/kernel';
import { nativeDb, type Database } from '@clew/persistence';
import { DAY_MS, sweepDue, type Mechanism } from '../src/retention/index.ts';
import { PROJECT_ID } from './retention-fill.ts';
import { createStores, logger } from './retention-stores.ts';

/** One turn of a mechanism, and the idle time after it. */
interface Turn {
  mechanism: RetentionMechanism;
  /** Unix epoch milliseconds. */
  fromMs: number;
  toMs: number;
  batches: number;
  warehouseMs: number;
  mongoMs: number;
  /** Processor use of MongoDB outside of a turn, in milliseconds per millisecond. */
  mongoIdleShare: number;
  rssMib: number;
  /** Memory after garbage collection: of the process, and the part of it that V8 does not account for. */
  keptRssMib: number;
  outsideMib: number;
  /** Heap after garbage collection. */
  heapMib: number;
}

/** Pause after each turn in which only reads run, so that latencies with and without retention can be compared. */
const IDLE_MS = 3_000;
const SHORTER_DAYS = 31;
const MIB = 2 ** 20;

/** Removes all expired data, in turns, as the service does. */
export async function sweep(database: Database): Promise<object> {
  const { retention } = createStores(database, systemClock);
  await retention.sweeps.ensure([PROJECT_ID], systemClock.now());
  const seen: { mechanism: RetentionMechanism; batches: number } = { mechanism: 'telemetry', batches: 0 };
  const mechanisms = Object.fromEntries(
    Object.entries(retention.mechanisms).map(([name, mechanism]) => [name, counted(mechanism, name, seen)]),
  ) as typeof retention.mechanisms;
  const options = { ...retention, mechanisms, clock: systemClock, logger, intervalMs: DAY_MS };
  const turns: Turn[] = [];
  const first = memory();
  const takeTurns = async () => {
    for (;;) {
      seen.batches = 0;
      const [fromMs, used, mongoUsed] = [Date.now(), process.cpuUsage(), await mongoMs(database)];
      if ((await sweepDue(options)) === 0) return;
      const { user, system } = process.cpuUsage(used);
      const [toMs, mongoNow] = [Date.now(), await mongoMs(database)];
      await sleep(IDLE_MS);
      const mongoIdleShare = ((await mongoMs(database)) - mongoNow) / (Date.now() - toMs);
      const processor = { warehouseMs: (user + system) / 1_000, mongoMs: mongoNow - mongoUsed, mongoIdleShare };
      turns.push({ ...seen, fromMs, toMs, ...processor, ...memory() });
    }
  };
  await takeTurns();
  // Records expire long after their words, as they would in a project that waited for it.
  await retention.service.change(PROJECT_ID, { telemetryRetentionDays: SHORTER_DAYS });
  await takeTurns();
  const { telemetry, rawPayload, maintenance } = await retention.service.states(PROJECT_ID);
  const removed = Object.fromEntries(
    Object.entries({ telemetry, rawPayload, maintenance }).map(([name, state]) => [name, state.removedInTotal]),
  );
  return { turns, first, removed };
}

function counted(mechanism: Mechanism, name: string, seen: { mechanism: string; batches: number }): Mechanism {
  return {
    ...mechanism,
    async sweep(context, position) {
      seen.mechanism = name;
      seen.batches += 1;
      return await mechanism.sweep(context, position);
    },
  };
}

function memory() {
  const rssMib = process.memoryUsage.rss() / MIB;
  (globalThis as { gc?: () => void }).gc?.();
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  return {
    ...{ rssMib, keptRssMib: rss / MIB, heapMib: heapUsed / MIB },
    outsideMib: (rss - heapTotal - external) / MIB,
  };
}

/** Processor time that MongoDB has used so far, in milliseconds. */
async function mongoMs({ connection }: Database): Promise<number> {
  const { extra_info: used } = (await nativeDb(connection).command({ serverStatus: 1 })) as {
    extra_info: { user_time_us: number; system_time_us: number };
  };
  return (Number(used.user_time_us) + Number(used.system_time_us)) / 1_000;
}
