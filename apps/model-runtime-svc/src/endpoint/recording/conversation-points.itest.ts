import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { propertyRuns, useTestEnvironment } from '@clew/testing';
import { openTestDatabase } from '../../test-support/service.ts';
import type { ConversationPoint } from './conversation-finder.ts';
import { createConversationPointsStore } from './conversation-points.store.ts';

const environment = useTestEnvironment();
let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(environment);
});

afterAll(() => database.close());

const HASHES = ['h1', 'h2'];
const nameOf = ({ hash, conversationId }: Pick<ConversationPoint, 'hash' | 'conversationId'>) =>
  `${hash} ${conversationId}`;
const byName = (points: readonly ConversationPoint[]) => points.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));

it('of what is said of a point the last is kept, whether it was taken for new or for known', async () => {
  const store = createConversationPointsStore(database);
  const point = fc.record({
    hash: fc.constantFrom(...HASHES),
    conversationId: fc.constantFrom('conv_1', 'conv_2', 'conv_3'),
    continued: fc.boolean(),
    atMs: fc.nat(10_000),
    isKnown: fc.boolean(),
  });
  const saves = fc.array(fc.uniqueArray(point, { selector: nameOf }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(saves, async (given) => {
      const projectId = newId('prj');
      const kept = new Map<string, ConversationPoint>();
      for (const save of given) {
        const points = save.map(({ isKnown, ...said }) => ({ isKnown, said: { projectId, ...said } }));
        await store.save({
          added: points.filter(({ isKnown }) => !isKnown).map(({ said }) => said),
          changed: points.filter(({ isKnown }) => isKnown).map(({ said }) => said),
        });
        for (const { said } of points) kept.set(nameOf(said), said);
      }
      expect(byName(await store.find(new Map([[projectId, HASHES]])))).toEqual(byName([...kept.values()]));
    }),
    propertyRuns(12),
  );
});
