import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@clew/kernel';
import { createOutbox, nativeDb } from '@clew/persistence';
import { useTestEnvironment } from '@clew/testing';
import { startTestService, type TestService } from '../test-support/service.ts';
import { createAskAtOnce } from './ask-at-once.ts';
import type { CollectingDataset } from './collecting-datasets.ts';
import { decisionCollection } from './decision.model.ts';
import { createLookStore, type WantedLook } from './looks.store.ts';

const environment = useTestEnvironment();
const NOW_MS = 1_780_000_000_000;
const datasetId = newId('dst');
const dataset = { datasetId, redaction: false } as CollectingDataset;
let service: TestService;
let projectId: string;
let room: number;

beforeAll(async () => {
  service = await startTestService(environment);
});
beforeEach(() => {
  projectId = newId('prj');
  room = 100;
});
afterAll(() => service.stop());

const looksAt = (...conversationIds: string[]): WantedLook[] =>
  conversationIds.map((conversationId) => ({
    ...{ projectId, datasetId, objective: 'preserve_successful_behavior' },
    subject: { kind: 'conversation', conversationId: `${projectId}-${conversationId}`, snapshotId: 'cesr_1' },
  }));

/** Asks for looks; returns the conversations that are left. */
async function ask(wanted: readonly WantedLook[]): Promise<readonly unknown[]> {
  const { database } = service;
  const work = { freeRoomOf: async () => room };
  const askAtOnce = createAskAtOnce({
    database,
    looks: createLookStore(database),
    work,
    outbox: createOutbox(database),
  });
  return await askAtOnce(projectId, wanted, { datasets: new Map([[datasetId, dataset]]), nowMs: NOW_MS });
}

const rows = () => decisionCollection(service.database).find({ projectId }).toArray();
const sent = async () => {
  const messages = await nativeDb(service.database.connection).collection('outbox').find().toArray();
  return messages.map(({ body }) => JSON.parse(String(body))).filter((message) => message.projectId === projectId);
};

describe('looks that are asked for at once', () => {
  it('are handed out in one command, in the write of their decisions', async () => {
    expect(await ask(looksAt('a', 'b'))).toEqual([]);
    expect(await rows()).toMatchObject([1, 2].map(() => ({ state: 'asked', rounds: 1, outcome: null })));
    const [command, ...others] = await sent();
    expect(others).toEqual([]);
    expect(command.data).toMatchObject({ datasetId, redaction: false, looks: [{ round: 1 }, { round: 1 }] });
  });

  it('are no more than there is room for; the others are left to wait', async () => {
    room = 1;
    const wanted = looksAt('a', 'b', 'c');
    expect(await ask(wanted)).toEqual(wanted.slice(1));
    room = 0;
    expect(await ask(wanted)).toEqual(wanted);
    expect(await rows()).toHaveLength(1);
  });

  it('are none that have a decision already', async () => {
    await ask(looksAt('a'));
    const wanted = looksAt('a', 'b');
    expect(await ask(wanted)).toEqual(wanted.slice(0, 1));
  });

  it('are asked for once by several processes, and none is lost', async () => {
    const wanted = looksAt('a', 'b', 'c');
    const left = await Promise.all(Array.from({ length: 4 }, () => ask(wanted)));
    expect(left.filter((some) => some.length === 0)).toHaveLength(1);
    expect(left.filter((some) => some.length === wanted.length)).toHaveLength(3);
    expect(await rows()).toHaveLength(wanted.length);
    expect(await sent()).toHaveLength(1);
  });
});
