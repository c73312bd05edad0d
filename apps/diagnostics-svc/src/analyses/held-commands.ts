import { analysisRequested } from '@clew/contracts';
import { inParts, type Clock } from '@clew/kernel';
import type { QueueRoom } from '@clew/messaging';
import {
  createDueRows,
  startDueLoop,
  type AnyOutboxMessage,
  type Claimed,
  type Database,
  type DueLoop,
  type DueRows,
  type Outbox,
  type Transaction,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import { heldCommandCollection, type CommandData, type HeldCommandDocument } from './held-command.model.ts';

export interface HeldCommandsDependencies {
  database: Database;
  outbox: Outbox;
  /** Of the queue of the workers, in snapshots. */
  room: QueueRoom;
  clock: Clock;
  logger: Logger;
}

/** Sends commands to the workers while these have little before them; the others wait, and projects have their turns. */
export interface HeldCommands extends Pick<Outbox, 'appendMany'> {
  start(): DueLoop;
}

type ClaimedCommand = Claimed<HeldCommandDocument>;

const POLL_MS = 100;
const LEASE_MS = 30_000;
/** Snapshots of a command that waited: others wait for all of what a worker has in hand. */
const HELD_TOGETHER = 50;
/** Commands that one turn of a project hands out, where there is room for as many. */
const HANDED_OUT_TOGETHER = 4;

/**
 * Keeps the queue of the workers short. It gives out what came first, and knows nothing of projects: a backfill of a
 * hundred thousand conversations would have the next one of every other project wait behind all of them. In rows they
 * cost nothing while there is room, and one for each 50 conversations where there is none.
 */
export function createHeldCommands(deps: HeldCommandsDependencies): HeldCommands {
  const { database, outbox, room, clock, logger } = deps;
  const commands = heldCommandCollection(database.connection);
  const rows = createDueRows(commands, { leaseMs: LEASE_MS, isInTurn: true });
  /** As far as this process knows; whatever comes then waits for its turn, too. */
  let isAnyHeld = false;
  let loop: DueLoop | undefined;

  async function hold(tx: Transaction, messages: readonly AnyOutboxMessage[]): Promise<number> {
    if (messages.length === 0) return 0;
    isAnyHeld = true;
    const dueAt = clock.now();
    const writes = messages.flatMap(inSmallParts).map(({ key, projectId, requestId, occurredAt, data }) => ({
      updateOne: {
        filter: { _id: key },
        update: { $setOnInsert: { key, projectId, requestId, occurredAt, data, dueAt } },
        upsert: true,
      },
    }));
    return (await commands.bulkWrite(writes, { session: tx })).upsertedCount;
  }

  async function handOut(claimed: readonly ClaimedCommand[]): Promise<void> {
    await database.withTransaction(async (tx) => {
      const messages = claimed.map(({ key, projectId, requestId, occurredAt, data }) => {
        return { spec: analysisRequested, key, projectId, requestId, occurredAt, data };
      });
      await outbox.appendMany(tx, messages);
      await rows.settle(tx, claimed);
      await commands.deleteMany({ _id: { $in: claimed.map(({ _id }) => _id) }, dueAt: null }, { session: tx });
    });
  }

  const whileThereIsRoom: Pick<DueRows<HeldCommandDocument>, 'claim' | 'backlog'> = {
    async claim(nowMs, limit) {
      if (isAnyHeld && room.left() <= 0) return [];
      const fitting = Math.max(1, Math.floor(room.left() / HELD_TOGETHER));
      const claimed = await rows.claim(nowMs, Math.min(limit, fitting));
      isAnyHeld = claimed.length > 0;
      for (const { data } of claimed) room.take(data.snapshots.length);
      return claimed;
    },
    // What waits for room is not late.
    async backlog(nowMs) {
      const all = await rows.backlog(nowMs);
      return room.left() > 0 ? all : { ...all, oldestAgeMs: 0 };
    },
  };

  function isSent({ data }: AnyOutboxMessage): boolean {
    if (isAnyHeld || room.left() <= 0) return false;
    room.take((data as CommandData).snapshots.length);
    return true;
  }

  return {
    async appendMany(tx, messages) {
      const { sent = [], held = [] } = Object.groupBy(messages, (message) => (isSent(message) ? 'sent' : 'held'));
      return (await outbox.appendMany(tx, sent)) + (await hold(tx, held));
    },
    start() {
      loop = startDueLoop({
        ...{ name: 'analysis commands', rows: { ...rows, ...whileThereIsRoom }, clock, logger, pollMs: POLL_MS },
        ...{ limit: HANDED_OUT_TOGETHER, handle: handOut },
      });
      return loop;
    },
  };
}

function inSmallParts({ key, data, ...message }: AnyOutboxMessage) {
  const { snapshots, ...rest } = data as CommandData;
  return inParts(snapshots, () => 1, HELD_TOGETHER).map((part, index) => ({
    ...message,
    ...{ key: `${key}:${index}`, data: { ...rest, snapshots: part } },
  }));
}
