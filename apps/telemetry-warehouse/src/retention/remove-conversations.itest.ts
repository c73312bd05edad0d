import { expect, it } from '@jest/globals';
import { connectMongo, nativeDb } from '@clew/persistence';
import { explainSent, monitored, silentLogger, useTestEnvironment } from '@clew/testing';
import { conversationKey } from '../conversations/index.ts';
import { useTestDatabase } from '../test-support/database.ts';
import { PROJECT_ID } from '../test-support/spans.ts';
import { createRemoveConversations } from './remove-conversations.ts';

const environment = useTestEnvironment();
const database = useTestDatabase(environment);
const OLD = 3_000;
const BATCH = 250;

it('the conversations of a batch are read alone, however many others are as old', async () => {
  const rows = Array.from({ length: OLD }, (_, at) => ({
    ...{ _id: conversationKey(PROJECT_ID, `c${at}`) as never, projectId: PROJECT_ID, conversationId: `c${at}` },
    ...{ receivedAt: at, startedAt: at },
  }));
  const conversations = nativeDb(database.current.connection).collection('conversations');
  await conversations.insertMany(rows);
  const watched = await connectMongo({
    ...{ url: monitored(environment.mongoUrl), database: environment.database, appName: 'test' },
    logger: silentLogger(),
  });
  const remove = createRemoveConversations(watched, { discount: async () => undefined });
  const ids = rows.slice(0, BATCH).map(({ conversationId }) => conversationId);
  const explained = await explainSent(watched, async () => {
    const removed = await remove(PROJECT_ID, ids, { receivedBefore: OLD });
    expect(removed.conversations).toBe(BATCH);
    // Explained is what is there afterwards.
    await conversations.insertMany(rows.slice(0, BATCH));
  });
  await watched.close();
  const found = explained.find(({ plan }) => plan.startsWith('find conversations'));
  expect(found?.stats).toMatchObject({ nReturned: BATCH, totalDocsExamined: BATCH });
});
