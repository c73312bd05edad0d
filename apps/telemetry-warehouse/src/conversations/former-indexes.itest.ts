import { expect, it } from '@jest/globals';
import { useTestEnvironment } from '@clew/testing';
import { migrations } from '../migrations.ts';
import { useTestDatabase } from '../test-support/database.ts';
import { conversationCollection, LIST_INDEXES } from './conversation.model.ts';

const database = useTestDatabase(useTestEnvironment());

it('an index of words that holds flags is dropped once the one without them is there', async () => {
  const { connection } = database.current;
  const conversations = conversationCollection(connection);
  const names = async () => (await conversations.indexes()).map(({ name }) => name);
  const before = await names();
  await conversations.dropIndex(LIST_INDEXES.terms);
  const former = { projectId: 1, listed: 1, terms: 1, hasError: 1, startedAt: -1, _id: -1 } as const;
  await conversations.createIndex(former, { name: 'list_by_term' });
  await migrations.find(({ id }) => id === '0007-words-without-flags')?.up(connection);
  expect((await names()).toSorted()).toEqual(before.toSorted());
});
