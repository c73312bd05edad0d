import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_ACTIVE_EXPECTATIONS, type Expectation, type Finding } from '@clew/contracts';
import { derivedId, newId } from '@clew/kernel';
import { eventually, explainSent, monitored, useTestEnvironment } from '@clew/testing';
import { checkedResult, NEVER_PAY, snapshotOfParts } from '../test-support/expectations.ts';
import { readyOf } from '../test-support/warehouse.ts';
import { openTestDatabase, startTestService, type TestService } from '../test-support/service.ts';
import { expectationCollection, expectationSetCollection } from './expectation.model.ts';
import { newExpectation, type StoredExpectation } from './expectation.ts';
import { createExpectationStore } from './expectations.store.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
  service.start();
});

afterAll(() => service.stop());

const PATH = '/expectations';
const NEW = { statement: 'Never pay', check: NEVER_PAY };

interface Made {
  projectId: string;
  expectation: Expectation;
  etag: string;
}

async function make(projectId = newId('prj'), body: object = NEW): Promise<Made> {
  const {
    status,
    body: expectation,
    headers,
  } = await service.call<Expectation>({ method: 'POST', projectId, path: PATH, body });
  expect({ status, expectation }).toMatchObject({ status: 201 });
  return { projectId, expectation, etag: headers.get('etag') ?? '' };
}

const one = ({ projectId, expectation }: Made) => ({ projectId, path: `${PATH}/${expectation.id}` });

async function listed(projectId: string, query = '') {
  const { body } = await service.call<{ expectations: Expectation[]; nextCursor: string | null }>({
    projectId,
    path: `${PATH}${query}`,
  });
  return body;
}

async function revisionOf(projectId: string): Promise<number> {
  const set = await expectationSetCollection(service.database).findOne({ _id: projectId });
  return set?.revision ?? 0;
}

async function findings(projectId: string): Promise<Finding[]> {
  return (await service.call<{ findings: Finding[] }>({ projectId, path: '/findings' })).body.findings;
}

/** Takes results for that many conversations; those that call `pay` break the Expectation. */
async function analyse({ projectId, expectation }: Made, count: number, revision = 1): Promise<void> {
  const snapshots = Array.from({ length: count }, (_, index) =>
    snapshotOfParts({
      projectId,
      conversationId: `chat ${index}`,
      calls: index % 2 === 0 ? ['pay'] : ['pay', 'refund'],
    }),
  );
  for (const snapshot of snapshots) service.warehouse.snapshots.set(snapshot.snapshotId, snapshot);
  await service.take(checkedResult(snapshots, { revision, active: [expectation] }));
}

describe('Expectations', () => {
  it('are made with their defaults, read back as they were answered, and listed newest first', async () => {
    const first = await make();
    const { projectId, expectation } = first;
    expect(expectation).toEqual({
      ...{ id: expect.stringMatching(/^exp_[0-9A-Z]{26}$/), projectId, ...NEW },
      ...{ source: 'authored', status: 'active', severity: 'medium' },
      ...{ createdAt: expect.any(Number), updatedAt: expectation.createdAt },
    });
    const read = await service.call(one(first));
    expect({ status: read.status, body: read.body }).toEqual({ status: 200, body: expectation });
    expect(read.headers.get('etag')).toBe(first.etag);
    service.clock.advance(1);
    const second = await make(projectId, { ...NEW, status: 'off' });
    const page = await listed(projectId, '?limit=1');
    expect(page.expectations).toEqual([second.expectation]);
    expect(await listed(projectId, `?limit=1&cursor=${page.nextCursor}`)).toMatchObject({
      expectations: [expectation],
      nextCursor: null,
    });
    expect((await listed(projectId, '?status=active')).expectations).toEqual([expectation]);
  });

  it('are those of one project alone', async () => {
    const made = await make();
    const other = newId('prj');
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? { status: 'off' } : undefined;
      const { status, body: answered } = await service.call({ ...one(made), projectId: other, method, body });
      expect({ status, answered }).toMatchObject({ status: 404, answered: { code: 'EXPECTATION_NOT_FOUND' } });
    }
    expect((await listed(other)).expectations).toEqual([]);
  });

  it.each([
    [
      'a pattern that is none',
      { statement: 'x', check: { form: 'answer_matches', pattern: '(' } },
      'body.check.pattern',
    ],
    [
      'a pattern beyond RE2',
      { statement: 'x', check: { form: 'answer_matches', pattern: '(?=a)' } },
      'body.check.pattern',
    ],
    ['a form that does not exist', { statement: 'x', check: { form: 'be_kind' } }, 'body.check.form'],
    ['an unknown field', { ...NEW, source: 'compiled' }, 'body'],
    ['no statement', { check: NEVER_PAY }, 'body.statement'],
  ])('refuse %s with 400', async (_name, body, path) => {
    const { status, body: answered } = await service.call({ method: 'POST', path: PATH, body });
    expect({ status, answered }).toMatchObject({
      status: 400,
      answered: { code: 'VALIDATION_FAILED', details: expect.arrayContaining([{ path, message: expect.any(String) }]) },
    });
  });

  it.each(['status=deleted', 'limit=501', 'limit=0', 'cursor=abc', 'source=authored'])(
    'refuse the filter %s',
    async (query) => {
      expect(await service.call({ path: `${PATH}?${query}` })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_FILTER' },
      });
    },
  );

  it('a POST with an Idempotency-Key makes one, however often it is sent', async () => {
    const projectId = newId('prj');
    const call = () =>
      service.call<Expectation>({
        method: 'POST',
        projectId,
        path: PATH,
        body: NEW,
        headers: { 'idempotency-key': 'once' },
      });
    const [first, second] = [await call(), await call()];
    expect(second.body).toEqual(first.body);
    expect((await listed(projectId)).expectations).toHaveLength(1);
  });

  it('of two changes that name the same ETag one is 412, and changes nothing', async () => {
    const made = await make();
    const change = (severity: string) =>
      service.call<Expectation>({
        ...one(made),
        method: 'PATCH',
        body: { severity },
        headers: { 'if-match': made.etag },
      });
    const statuses = (await Promise.all([change('high'), change('low')])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 412]);
    const gone = await service.call({ ...one(made), method: 'DELETE', headers: { 'if-match': made.etag } });
    expect(gone).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
  });

  it('a change that changes nothing is no revision, and one of what is checked is the next', async () => {
    const made = await make();
    const patch = async (body: object) => {
      await service.call({ ...one(made), method: 'PATCH', body });
      return await revisionOf(made.projectId);
    };
    expect(await revisionOf(made.projectId)).toBe(1);
    expect(await patch({ statement: 'Never pay', check: NEVER_PAY, status: 'active' })).toBe(1);
    expect(await patch({ check: { form: 'never_call', tools: ['pay', 'refund'] } })).toBe(2);
    expect(await patch({ status: 'off' })).toBe(3);
    expect(await patch({ check: NEVER_PAY })).toBe(3);
    expect(await patch({ status: 'proposed' })).toBe(3);
    expect(await patch({ status: 'active' })).toBe(4);
  });

  it(`a project has at most ${MAX_ACTIVE_EXPECTATIONS} that are active, also of many that are made at once`, async () => {
    const made = await make();
    const { projectId } = made;
    const left = 3;
    await expectationSetCollection(service.database).updateOne(
      { _id: projectId },
      { $set: { active: MAX_ACTIVE_EXPECTATIONS - left } },
    );
    const calls = Array.from({ length: left + 3 }, () =>
      service.call({ method: 'POST', projectId, path: PATH, body: NEW }),
    );
    const answers = await Promise.all(calls);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, (body as { code: string }).code])).toEqual(
      Array.from({ length: 3 }, () => [409, 'TOO_MANY_EXPECTATIONS']),
    );
    const off = await make(projectId, { ...NEW, status: 'off' });
    expect(await service.call({ ...one(off), method: 'PATCH', body: { status: 'active' } })).toMatchObject({
      status: 409,
    });
    expect((await service.call<Expectation>(one(off))).body.status).toBe('off');
  });
});

describe('what is expected no longer', () => {
  it('is withdrawn from every conversation that showed it when it is switched off, page by page', async () => {
    const made = await make();
    await analyse(made, 250);
    expect(await findings(made.projectId)).toMatchObject([{ occurrenceCount: 250, title: 'Not kept: Never pay' }]);
    await service.call({ ...one(made), method: 'PATCH', body: { status: 'off' } });
    await eventually(async () => expect(await findings(made.projectId)).toEqual([]));
  });

  it('is withdrawn by a DELETE, which answers 204 once it is gone, and again', async () => {
    const made = await make();
    await analyse(made, 120);
    const remove = () => service.call({ ...one(made), method: 'DELETE' });
    await eventually(async () => expect((await remove()).status).toBe(204));
    expect(await findings(made.projectId)).toEqual([]);
    expect((await remove()).status).toBe(204);
    expect((await service.call(one(made))).status).toBe(404);
    expect((await listed(made.projectId)).expectations).toEqual([]);
    const unknown = {
      projectId: made.projectId,
      path: `${PATH}/${derivedId('exp', 'nobody')}`,
      method: 'DELETE',
    } as const;
    expect((await service.call(unknown)).status).toBe(404);
  });

  it('does not come back with a result of before', async () => {
    const made = await make();
    await service.call({ ...one(made), method: 'PATCH', body: { status: 'off' } });
    await analyse(made, 2);
    expect(await findings(made.projectId)).toEqual([]);
    // After it is active again, earlier results still do not count, and new ones do.
    await service.call({ ...one(made), method: 'PATCH', body: { status: 'active' } });
    await analyse(made, 3, 2);
    expect(await findings(made.projectId)).toEqual([]);
    await service.take(
      checkedResult([snapshotOfParts({ ...made, conversationId: 'later', calls: ['pay'] })], {
        revision: await revisionOf(made.projectId),
        active: [made.expectation],
      }),
    );
    expect(await findings(made.projectId)).toMatchObject([{ occurrenceCount: 1 }]);
  });
});

describe('a changed check', () => {
  it('is tried again where it was broken, and stays where it still is', async () => {
    const made = await make();
    await analyse(made, 220);
    const check = { form: 'never_call', tools: ['refund'] };
    const body = { check, statement: 'Never refund', severity: 'high' };
    await service.call({ ...one(made), method: 'PATCH', body });
    const after = { occurrenceCount: 110, title: 'Not kept: Never refund', severity: 'high' };
    await eventually(async () => expect(await findings(made.projectId)).toMatchObject([after]));
    await eventually(async () => {
      const { dueAt } = (await expectationCollection(service.database).findOne({ _id: made.expectation.id }))!;
      expect(dueAt).toBeNull();
    });
  });
});

describe('a conversation that is analysed while its caller waits', () => {
  it('is checked for what is expected', async () => {
    const made = await make();
    const { projectId } = made;
    const snapshot = snapshotOfParts({ projectId, calls: ['pay'] });
    service.warehouse.spoken.push({ snapshot, state: 'ready' });
    const { conversationId } = snapshot;
    const body = { conversationId };
    const found = await service.call({ method: 'POST', projectId, path: '/findings/discover', body });
    const finding = { title: 'Not kept: Never pay', conversationId };
    expect(found).toMatchObject({ status: 200, body: { outcome: 'findings_found', findings: [finding] } });
  });
});

describe('the dry run of an Expectation', () => {
  it('tells how many of the latest conversations break it, with exact quotes, and makes nothing', async () => {
    const made = await make(newId('prj'), {
      statement: 'Never say sorry',
      status: 'proposed',
      check: { form: 'answer_never_matches', pattern: '(?i)sorry' },
    });
    const { projectId } = made;
    for (let index = 0; index < 12; index += 1) {
      const says = index % 2 === 0 ? 'I am sorry.' : 'Fine.';
      const snapshot = snapshotOfParts({ projectId, conversationId: `chat ${index}`, says });
      service.warehouse.spoken.push({ snapshot, state: 'ready' });
      service.warehouse.ready.set(projectId, [...(service.warehouse.ready.get(projectId) ?? []), readyOf(snapshot)]);
    }
    const { status, body } = await service.call({ ...one(made), path: `${one(made).path}/check`, method: 'POST' });
    expect({ status, body }).toMatchObject({ status: 200, body: { conversations: 12, broken: 6 } });
    const { examples } = body as { examples: { conversationId: string; location: object }[] };
    expect(examples).toHaveLength(6);
    expect(examples[0]).toMatchObject({ violations: 1, location: { stepIndex: 1, quotes: [{ quote: 'sorry' }] } });
    expect(await findings(projectId)).toEqual([]);
    expect(await revisionOf(projectId)).toBe(0);
  });
});

describe('the commands about Expectations', () => {
  it('find what they want by an index, and a page reads little more than it answers', async () => {
    const watched = await openTestDatabase(environment, monitored(environment.mongoUrl));
    try {
      const store = createExpectationStore(watched);
      const projectId = newId('prj');
      const made = Array.from({ length: 300 }, (_, index) =>
        newExpectation(
          {
            ...{ id: newId('exp'), projectId, statement: 'x', source: 'authored', severity: 'low', check: NEVER_PAY },
            status: (['active', 'off', 'proposed'] as const)[index % 3]!,
          },
          1,
          index % 50,
        ),
      );
      await watched.withTransaction((tx) => store.insert(tx, made));
      const after = [25, made[0]!.id];
      for (const status of [undefined, 'off'] as const) {
        for (const slice of [{ limit: 10 }, { limit: 10, after }]) {
          const [page] = await explainSent(watched, () => store.list(projectId, status, slice));
          expect(page!.stats.totalDocsExamined).toBeLessThan(2 * page!.stats.nReturned);
        }
      }
      const [{ id: expectationId, checkHash, findingId }] = made as [StoredExpectation];
      const explained = await explainSent(watched, async () => {
        await store.get(projectId, expectationId);
        await store.revisions([projectId]);
        await watched.withTransaction(async (tx) => {
          const opened = await store.open(tx, { projectId, expectationId });
          await store.save(tx, opened!, 1);
          await store.known(tx, projectId, { ids: [expectationId], checkHashes: [checkHash] });
          await store.count(tx, projectId, { revision: 1, active: 1 });
          await store.checked(tx, projectId);
          await store.forResults(tx, projectId, [findingId], 1);
        });
      });
      expect(explained).toHaveLength(11);
    } finally {
      await watched.close();
    }
  });
});
