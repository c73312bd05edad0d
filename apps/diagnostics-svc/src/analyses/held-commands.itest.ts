import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { analysisRequested } from '@clew/contracts';
import { derivedId, newId } from '@clew/kernel';
import { createOutbox, outboxMessage, type Database } from '@clew/persistence';
import { BUILT_IN_RULES } from '@clew/rules';
import { eventually, fixedClock, silentLogger, useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { openTestDatabase } from '../test-support/service.ts';
import { createHeldCommands, heldCommandCollection, type HeldCommands } from './index.ts';

const { ruleId, defaultConfiguration: configuration } = BUILT_IN_RULES[0]!;
const environment = useTestEnvironment();
const clock = fixedClock(1_780_000_000_000);
let database: Database;
/** Snapshots for which the workers' queue still has room. */
let left: number;
let commands: HeldCommands;
/** Project of each command that was given to the workers, in order. */
let sent: string[];

beforeAll(async () => {
  database = await openTestDatabase(environment);
});

beforeEach(async () => {
  await heldCommandCollection(database.connection).deleteMany({});
  left = 0;
  sent = [];
  const room = { left: () => left, take: (units: number) => void (left -= units) };
  const outbox = createOutbox(database);
  const noted: typeof outbox = {
    ...outbox,
    appendMany: async (tx, messages) => {
      sent.push(...messages.map(({ projectId }) => projectId));
      return await outbox.appendMany(tx, messages);
    },
  };
  commands = createHeldCommands({ database, outbox: noted, room, clock, logger: silentLogger() });
});

afterAll(() => database.close());

/** Queues that many commands of a project with a hundred snapshots each, which makes two rows per held command. */
async function queue(projectId: string, count: number): Promise<number> {
  const messages = Array.from({ length: count }, (_, index) =>
    outboxMessage(analysisRequested, {
      ...{ key: `${projectId}:${index}`, projectId, requestId: null, occurredAt: 1 },
      data: {
        rules: [{ ruleId, configuration }],
        snapshots: Array.from({ length: 100 }, (__, at) => ({
          conversationId: `chat ${at}`,
          snapshotId: derivedId('cesr', projectId, `${index}:${at}`),
        })),
      },
    }),
  );
  return await database.withTransaction((tx) => commands.appendMany(tx, messages));
}

const heldOf = (projectId: string) => heldCommandCollection(database.connection).countDocuments({ projectId });
const sentOf = async (projectId: string) => (await emittedMessages(database, analysisRequested, projectId)).length;

describe('commands to the workers', () => {
  it('are sent at once while these have little before them, and leave no row', async () => {
    left = 250;
    const projectId = newId('prj');
    expect(await queue(projectId, 3)).toBe(3);
    expect([await sentOf(projectId), await heldOf(projectId)]).toEqual([3, 0]);
  });

  it('wait beyond that, and projects have their turns: what comes late waits for no backfill of another', async () => {
    const [before, flooding, behind] = [newId('prj'), newId('prj'), newId('prj')].toSorted() as [
      string,
      string,
      string,
    ];
    await queue(flooding, 39);
    clock.advance(1_000);
    await queue(before, 1);
    await queue(behind, 1);
    expect(sent).toEqual([]);
    const loop = commands.start();
    for (let round = 1; round <= 4; round += 1) {
      left = 50;
      await eventually(() => expect(sent).toHaveLength(round));
    }
    expect(sent).toEqual(expect.arrayContaining([before, behind]));
    left = 1_000_000;
    await eventually(() => expect(sent).toHaveLength(2 * 41), { timeoutMs: 20_000 });
    await loop.stop();
    expect([await sentOf(flooding), await heldOf(flooding), await heldOf(behind)]).toEqual([2 * 39, 0, 0]);
  });

  it('are sent once, however often they are queued, and at once again when nothing waits', async () => {
    const [first, second] = [newId('prj'), newId('prj')];
    await queue(first, 2);
    expect(await queue(first, 2)).toBe(0);
    const loop = commands.start();
    left = 100_000;
    await eventually(async () => expect([await sentOf(first), await heldOf(first)]).toEqual([4, 0]));
    await eventually(async () => {
      await queue(second, 1);
      expect(await heldOf(second)).toBe(0);
      expect(await sentOf(second)).toBeGreaterThan(0);
    });
    await loop.stop();
  });

  it('do not age while there is no room for them', async () => {
    const projectId = newId('prj');
    await queue(projectId, 1);
    clock.advance(600_000);
    const loop = commands.start();
    expect(await loop.backlog()).toMatchObject({ waiting: 2, oldestAgeMs: 0 });
    await loop.stop();
  });
});
