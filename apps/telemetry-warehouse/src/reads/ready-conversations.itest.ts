import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReadySnapshot } from '@clew/contracts';
import { useTestEnvironment } from '@clew/testing';
import { keyWith, service as serviceNamed, userWith } from '@clew/testing/identities';
import { startTestService, type TestService } from '../test-support/service.ts';
import { chatSpan, OTHER_PROJECT_ID, PROJECT_ID, spansMessage, STARTED_AT } from '../test-support/spans.ts';
import { useTestDatabase } from '../test-support/database.ts';

const environment = useTestEnvironment();
const database = useTestDatabase(environment);
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment, database.current);
});

afterAll(() => service.stop());

const knowledge = serviceNamed('knowledge-svc');
/** End time of a call that begins after this many seconds. */
const endOf = (seconds: number) => STARTED_AT + seconds * 1_000 + 500;

let spans = 0;

function said(conversation: string, seconds: number, projectId = PROJECT_ID) {
  const own = (spans += 1);
  const span = chatSpan({ trace: own, span: own, atMs: seconds * 1_000, conversation, said: `${seconds}` });
  return spansMessage({ spans: [span] }, projectId);
}

interface Listed {
  conversations: ReadySnapshot[];
  nextCursor: string | null;
}

async function listed(query: string, projectId = PROJECT_ID) {
  const path = `//internal/v1/projects/${projectId}/ready-conversations?${query}`;
  return await service.call<Listed>({ path, principal: knowledge, projectId });
}

async function namesIn(from: number, to: number) {
  const { status, body } = await listed(`from=${from}&to=${to}`);
  expect(status).toBe(200);
  return body.conversations.map(({ conversationId }) => conversationId);
}

function readySnapshot(conversation: string, principal: Parameters<TestService['call']>[0]['principal'] = knowledge) {
  const path = `//internal/v1/projects/${PROJECT_ID}/conversations/${conversation}/ready-snapshot`;
  return service.call<ReadySnapshot & { state: string; code?: string }>({ path, principal: principal ?? null });
}

describe('ready conversations', () => {
  it('are in the window by their last activity, both ends inclusive, oldest first', async () => {
    await service.store(said('a', 3), said('b', 1), said('b', 5), said('c', 1), said('d', 3));
    await service.settleAll();
    expect(await namesIn(0, endOf(9))).toEqual(['c', 'a', 'd', 'b']);
    expect(await namesIn(endOf(3), endOf(5))).toEqual(['a', 'd', 'b']);
    expect(await namesIn(endOf(3) + 1, endOf(5))).toEqual(['b']);
    expect(await namesIn(endOf(1), endOf(5) - 1)).toEqual(['c', 'a', 'd']);
    expect(await namesIn(endOf(5), endOf(3))).toEqual([]);
  });

  it('come latest first where that is asked for', async () => {
    await service.store(said('a', 3), said('b', 5), said('c', 1));
    await service.settleAll();
    const { body } = await listed(`from=0&to=${endOf(9)}&order=latest&limit=2`);
    expect(body.conversations.map(({ conversationId }) => conversationId)).toEqual(['b', 'a']);
    const { body: rest } = await listed(`from=0&to=${endOf(9)}&order=latest&limit=2&cursor=${body.nextCursor}`);
    expect(rest.conversations.map(({ conversationId }) => conversationId)).toEqual(['c']);
  });

  it('are told by their names, without those that are not ready or not there', async () => {
    await service.store(said('a', 1), said('c', 1));
    await service.settleAll();
    await service.store(said('b', 1));
    await service.unlist('c');
    const path = `//internal/v1/projects/${PROJECT_ID}/ready-snapshots/read`;
    const body = { conversationIds: ['a', 'b', 'c', 'd'] };
    const named = await service.call<Listed>({ method: 'POST', path, principal: knowledge, body });
    expect(named.body.conversations.map(({ conversationId }) => conversationId)).toEqual(['a']);
  });

  it('are told with the snapshot that was announced', async () => {
    await service.store(said('a', 1), said('a', 3));
    await service.settleAll();
    const [event] = await service.announced();
    const { traceIds: _traceIds, ...announced } = event!;
    const { body } = await listed(`from=0&to=${endOf(9)}`);
    expect(body).toEqual({ conversations: [{ ...announced, agents: [] }], nextCursor: null });
  });

  it('come in pages, each once, also those of one moment', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    await service.store(...names.map((name, index) => said(name, index < 4 ? 1 : 2)));
    await service.settleAll();
    const found: string[] = [];
    let cursor = '';
    for (;;) {
      const { body } = await listed(`from=0&to=${endOf(2)}&limit=2${cursor}`);
      found.push(...body.conversations.map(({ conversationId }) => conversationId));
      expect(body.conversations.length).toBeLessThanOrEqual(2);
      if (body.nextCursor === null) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(found).toEqual(names);
    expect((await listed(`from=1&to=${endOf(2)}&limit=2${cursor}`)).status).toBe(400);
  });

  it('that have gone on count as they were, until they are ready again', async () => {
    await service.store(said('a', 1));
    await service.settleAll();
    const before = (await listed(`from=0&to=${endOf(9)}`)).body;
    await service.store(said('a', 4));
    expect((await listed(`from=0&to=${endOf(9)}`)).body).toEqual(before);
    expect((await readySnapshot('a')).body).toEqual({ ...before.conversations[0], state: 'active' });
    // A snapshot made on request in the meantime does not count as ready.
    await service.assembler.snapshotNow(await service.conversation('a'));
    expect((await listed(`from=0&to=${endOf(9)}`)).body).toEqual(before);
    await service.settleAll();
    expect(await namesIn(0, endOf(3))).toEqual([]);
    expect((await readySnapshot('a')).body).toMatchObject({
      ...{ state: 'ready', revision: 2, messageCount: 2, lastActivityAt: endOf(4) },
    });
  });

  it('are named by the latest snapshot, also where it says the same as the one that was announced', async () => {
    await service.store(said('a', 1));
    await service.settleAll();
    const silent = { trace: 2_000, span: 1, atMs: 0, conversation: 'a', attributes: { 'gen_ai.agent.name': 'guide' } };
    await service.store(spansMessage({ spans: [chatSpan(silent)] }));
    await service.settleAll();
    const { snapshotId } = await service.conversation('a');
    expect((await readySnapshot('a')).body).toMatchObject({ snapshotId, revision: 2, agents: ['guide'] });
    expect(await service.announced()).toHaveLength(1);
  });

  it('are those of the project', async () => {
    await service.store(said('a', 1), said('b', 1, OTHER_PROJECT_ID));
    await service.settleAll();
    expect(await namesIn(0, endOf(9))).toEqual(['a']);
    const { body } = await listed(`from=0&to=${endOf(9)}`, OTHER_PROJECT_ID);
    expect(body.conversations.map(({ conversationId }) => conversationId)).toEqual(['b']);
  });

  it('are none of those that are in no list any more', async () => {
    await service.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 4, conversation: 'a', said: 'own' })] }));
    await service.settleAll();
    await service.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 1, conversation: 'b' })] }));
    await service.settleAll();
    expect(await namesIn(0, endOf(9))).toEqual(['a']);
    await service.unlist('a');
    expect((await readySnapshot('a')).status).toBe(404);
  });

  it.each([['from=0'], ['to=0'], ['from=0&to=x'], ['from=0&to=1&limit=501'], ['from=0&to=1&unknown=1']])(
    'are not listed for %s',
    async (query) => {
      expect((await listed(query)).status).toBe(400);
    },
  );
});

describe('the snapshot with which a conversation was ready', () => {
  it('is a conflict where it never was, and not found where the conversation does not exist', async () => {
    await service.store(said('a', 1));
    const [early, missing] = [await readySnapshot('a'), await readySnapshot('b')];
    expect([early.status, early.body.code]).toEqual([409, 'CONVERSATION_NOT_READY']);
    expect([missing.status, missing.body.code]).toEqual([404, 'CONVERSATION_NOT_FOUND']);
  });

  it.each([
    ['nobody', null, 401],
    ['a key with every scope', keyWith('workspace:admin', 'workspace:read'), 404],
    ['a person', userWith('workspace:admin', 'project:read'), 404],
    ['a service that has no business there', serviceNamed('gateway'), 404],
    ['the datasets service', serviceNamed('datasets-svc'), 200],
    ['the jobs worker', serviceNamed('jobs-worker'), 200],
  ])('is told to %s as it should be', async (_who, principal, expected) => {
    await service.store(said('a', 1));
    await service.settleAll();
    const path = `//internal/v1/projects/${PROJECT_ID}/conversations/a/ready-snapshot`;
    expect((await service.call({ path, principal })).status).toBe(expected);
    const list = `//internal/v1/projects/${PROJECT_ID}/ready-conversations?from=0&to=1`;
    expect((await service.call({ path: list, principal })).status).toBe(expected);
  });
});

describe('the conversation that began last', () => {
  const latest = async (projectId = PROJECT_ID) => {
    const path = `//internal/v1/projects/${projectId}/latest-conversation`;
    const principal = serviceNamed('diagnostics-svc');
    const { status, body } = await service.call<{ conversationId?: string }>({ path, principal, projectId });
    return [status, body.conversationId];
  };

  it('is named whether it is ready or not, in each project its own', async () => {
    expect(await latest()).toEqual([404, undefined]);
    await service.store(said('a', 1), said('b', 3), said('c', 2), said('a', 9), said('d', 4, OTHER_PROJECT_ID));
    expect(await latest()).toEqual([200, 'b']);
    await service.settleAll();
    expect([await latest(), await latest(OTHER_PROJECT_ID)]).toEqual([
      [200, 'b'],
      [200, 'd'],
    ]);
  });

  it('is none that is in no list any more', async () => {
    await service.store(said('a', 1), said('b', 2));
    await service.settleAll();
    await service.unlist('b');
    expect(await latest()).toEqual([200, 'a']);
  });
});
