import { analysisRequested } from '@clew/contracts';
import { inParts, type Clock } from '@clew/kernel';
import type { QueueRoom } from '@clew/messaging';
import {
  createScheduledTasks,
  startTaskLoop,
  type AnyOutboxMessage,
  type Claimed,
  type Database,
  type TaskLoop,
  type ScheduledTasks,
  type Outbox,
  type Transaction,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import { heldCommandCollection, type CommandData, type HeldCommandDocument } from './held-command.model.ts';

export interface HeldCommandsDependencies {
  database: Database;
  outbox: Outbox;
  /** Room in the queue of the workers, in snapshots. */
  room: QueueRoom;
  clock: Clock;
  logger: Logger;
}

/** Sends commands to the workers while their queue is short; further ones are held, and projects take turns. */
export interface HeldCommands extends Pick<Outbox, 'appendMany'> {
  start(): TaskLoop;
}

type ClaimedCommand = Claimed<HeldCommandDocument>;

const POLL_MS = 100;
/** Interval of looks for commands that other processes hold, while this one knows of none. */
const POLL_OTHERS_MS = 1_000;
const LEASE_MS = 30_000;
/** Snapshots per held command. It is small, because others wait until a worker has finished all that it has in hand. */
const HELD_TOGETHER = 50;
/** Maximum number of commands that one turn of a project hands out, as far as there is room. */
const HANDED_OUT_TOGETHER = 4;

/**
 * Keeps the queue of the workers short. The queue is first in, first out, and does not know projects: after a backfill
 * of a hundred thousand conversations, the next conversation of every other project would wait behind all of them. Held
 * commands cost nothing while there is room, and one row per 50 conversations while there is none.
 */
export function createHeldCommands(deps: HeldCommandsDependencies): HeldCommands {
  const { database, outbox, room, clock, logger } = deps;
  const commands = heldCommandCollection(database.connection);
  const rows = createScheduledTasks(commands, { leaseMs: LEASE_MS, isInTurn: true });
  /** Whether commands are held, as far as this process knows; new commands then wait for their turn, too. */
  let isAnyHeld = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let loop: TaskLoop | undefined;

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

  const whileThereIsRoom: Pick<ScheduledTasks<HeldCommandDocument>, 'claim' | 'backlog'> = {
    async claim(nowMs, limit) {
      if (isAnyHeld ? room.left() <= 0 : performance.now() - lookedAt < POLL_OTHERS_MS) return [];
      lookedAt = performance.now();
      const fitting = Math.max(1, Math.floor(room.left() / HELD_TOGETHER));
      const claimed = await rows.claim(nowMs, Math.min(limit, fitting));
      isAnyHeld = claimed.length > 0;
      for (const { data } of claimed) room.take(data.snapshots.length);
      return claimed;
    },
    // A command that waits for room is not late.
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
      loop = startTaskLoop({
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
