import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@clew/kernel';
import { createScheduledTasks, type Transaction } from '@clew/persistence';
import { explainSent, monitored, useTestEnvironment } from '@clew/testing';
import { startTestService, type TestService } from '../test-support/service.ts';
import { decisionCollection, type DecisionDocument } from './decision.model.ts';
import { createDecisionStore, type DecisionStore } from './decisions.store.ts';
import { decisionIdOf } from './looks.store.ts';
import { changedItems, reviewedOtherwise } from './notice-changes.ts';

const PER_DATASET = 400;
const LIMIT = 10;
const NOW_MS = 1_780_000_000_000;

const environment = useTestEnvironment();
const projectId = newId('prj');
const [datasetId, otherId] = [newId('dst'), newId('dst')];
let service: TestService;
let store: DecisionStore;

beforeAll(async () => {
  service = await startTestService(environment, { mongoUrl: monitored(environment.mongoUrl) });
  store = createDecisionStore(service.database);
  await decisionCollection(service.database).insertMany([datasetId, otherId].flatMap(decisionsOf));
});

afterAll(() => service.stop());

/** Decisions on conversations and items, some with Examples and problems. */
function decisionsOf(ofDataset: string): DecisionDocument[] {
  return Array.from({ length: PER_DATASET }, (_, at) => {
    const subject = { kind: 'conversation' as const, conversationId: `chat-${at}`, snapshotId: 'cesr_1' };
    const objective = 'preserve_successful_behavior' as const;
    const isCollected = at % 4 === 0;
    return {
      _id: decisionIdOf({ datasetId: ofDataset, objective, subject }),
      ...{ projectId, datasetId: ofDataset, objective, conversationId: at % 2 === 0 ? `chat-${at}` : null },
      ...{ snapshotId: 'cesr_1', itemId: at % 2 === 0 ? null : `kitm_${at}`, state: 'decided' as const, rounds: 1 },
      ...{ failures: 0, createdAt: NOW_MS, decidedAt: NOW_MS + at, redacted: 0, model: null, basis: null },
      ...{ outcome: isCollected ? ('collected' as const) : ('refused' as const), because: null },
      reason: isCollected ? null : at % 8 === 1 ? 'open_problem' : 'no_success_signal',
      examples: isCollected ? [{ id: `ex_${ofDataset}_${at}`, derivationKey: `key-${at}`, digest: 'd' }] : [],
      removedKeys: [],
      problems: at % 8 === 1 ? [{ findingId: `fnd_${at}`, severity: 'high', reviewStatus: 'unreviewed' }] : [],
      ...{ dueAt: null, claim: null, leaseUntil: 0, attempts: 0 },
    };
  });
}

const inTransaction = (work: (tx: Transaction) => Promise<unknown>) => service.database.withTransaction(work);
const slice = { limit: LIMIT, after: undefined };
const key = { projectId, datasetId };
const makeDue = (filter: Parameters<ReturnType<typeof createScheduledTasks<DecisionDocument>>['makeDue']>[0]) =>
  createScheduledTasks(decisionCollection(service.database), { leaseMs: 1_000 }).makeDue(filter, NOW_MS);

describe('each search for decisions', () => {
  it.each<[string, () => Promise<unknown>, number]>([
    ['of a Dataset', () => store.list(key, {}, slice), LIMIT + 1],
    ['with an outcome', () => store.list(key, { outcome: 'collected' }, slice), LIMIT + 1],
    ['with a reason', () => store.list(key, { reason: 'open_problem' }, slice), LIMIT + 1],
    ['with both', () => store.list(key, { outcome: 'refused', reason: 'open_problem' }, slice), LIMIT + 1],
    ['on a conversation', () => store.list(key, { conversationId: 'chat-8' }, slice), 2],
    ['on an item', () => store.list(key, { itemId: 'kitm_9' }, slice), 2],
    ['of a deleted Example', () => inTransaction((tx) => store.noteRemoval(tx, key, `ex_${datasetId}_8`)), 1],
    ['that show a Finding', () => makeDue(reviewedOtherwise(projectId, 'fnd_9', 'dismissed')), 2],
    ['on changed items', () => makeDue(changedItems(projectId, ['kitm_9', 'kitm_11'])), 4],
    ['on an erased conversation', () => store.erase(projectId, 'chat-10'), 2],
  ])('%s reads an index, and no more documents than it needs', async (_which, search, most) => {
    const explained = await explainSent(service.database, search);
    const [first] = explained.filter(({ plan }) => plan.includes('collection_decisions'));
    expect(first?.plan).toMatch(/IXSCAN/);
    expect(first?.plan).not.toMatch(/COLLSCAN|SORT(?!_)/);
    expect(first?.stats.totalDocsExamined).toBeLessThanOrEqual(most);
  });
});
