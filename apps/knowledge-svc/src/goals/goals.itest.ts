import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deedRecorded, goalModelsNamed, type LearningGoal } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { describeAccess } from '@clew/testing/identities';
import { OTHER_PROJECT_ID, startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

const GOAL = { name: 'Facts', instruction: 'Learn facts' };

const create = (projectId: string, body: object) =>
  service.call<LearningGoal & { code?: string }>({ method: 'POST', projectId, path: '/goals', body });
const patch = (projectId: string, id: string, body: object, headers: Record<string, string> = {}) =>
  service.call<LearningGoal & { code?: string }>({ method: 'PATCH', projectId, path: `/goals/${id}`, body, headers });

describe('a Learning Goal', () => {
  it('has its deeds, and those on the settings, recorded for the audit', async () => {
    const projectId = newId('prj');
    const { body } = await create(projectId, GOAL);
    await patch(projectId, body.id, { status: 'paused' });
    await service.call({ method: 'PATCH', projectId, path: '/settings', body: { extractionEnabled: true } });
    const deeds = await emittedMessages(service.database, deedRecorded, projectId);
    expect(deeds.map(({ data: { action, before, after } }) => ({ action, before, after }))).toMatchObject([
      { action: 'learning-goal.created', before: null, after: { name: 'Facts', status: 'active' } },
      { action: 'learning-goal.changed', before: { status: 'active' }, after: { status: 'paused' } },
      {
        action: 'knowledge-settings.changed',
        before: { extractionEnabled: false },
        after: { extractionEnabled: true },
      },
    ]);
  });

  it('is made active, with service/auto where no model is named, at the Location told, with an ETag', async () => {
    const projectId = newId('prj');
    const { status, body, headers } = await create(projectId, GOAL);
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        ...{ id: expect.stringMatching(/^goal_[0-9A-Z]{26}$/), projectId, ...GOAL, model: 'service/auto' },
        sources: { systemPrompt: false },
        ...{ status: 'active', revision: 1, counts: { activeItems: 0, archivedItems: 0 }, blockedReason: null },
        ...{ createdAt: service.clock.now(), updatedAt: service.clock.now() },
      },
    });
    expect(headers.get('location')).toBe(`/v1/projects/${projectId}/knowledge/goals/${body.id}`);
    const read = await service.call({ projectId, path: `/goals/${body.id}` });
    expect(read.body).toEqual(body);
    expect(read.headers.get('etag')).toBe(headers.get('etag'));
  });

  it.each([
    ['no name', { instruction: 'x' }],
    ['a blank instruction', { ...GOAL, instruction: '  ' }],
    ['an instruction of 8,001 characters', { ...GOAL, instruction: 'x'.repeat(8_001) }],
    ['a name of 201 characters', { ...GOAL, name: 'x'.repeat(201) }],
    ['an unknown field', { ...GOAL, status: 'active' }],
    ['no model name', { ...GOAL, model: 'gpt' }],
    ['an unknown model', { ...GOAL, model: 'nobody/knows' }],
  ])('with %s is 400', async (_name, body) => {
    expect(await create(newId('prj'), body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('whose model lacks JSON Mode is 400; one that is away is taken, and says why it does not run', async () => {
    const projectId = newId('prj');
    service.modelRuntime.reasons.set('acme/old', 'no_json_mode').set('acme/away', 'provider_unreachable');
    expect(await create(projectId, { ...GOAL, model: 'acme/old' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'body.model' }] },
    });
    const { status, body } = await create(projectId, { ...GOAL, model: 'acme/away' });
    const blockedReason = 'The model acme/away is not available: its provider cannot be reached';
    expect({ status, body }).toMatchObject({ status: 201, body: { blockedReason } });
    const { body: list } = await service.call<{ goals: LearningGoal[] }>({ projectId, path: '/goals' });
    expect(list.goals).toEqual([body]);
    service.modelRuntime.isAway = true;
    expect((await create(projectId, GOAL)).body.blockedReason).toContain('cannot be asked now');
    service.modelRuntime.isAway = false;
  });

  it.each([
    ['active', 'paused', 200],
    ['active', 'archived', 200],
    ['paused', 'active', 200],
    ['paused', 'archived', 200],
    ['archived', 'active', 200],
    ['archived', 'paused', 409],
  ])('that is %s and is to be %s answers %i', async (from, to, status) => {
    const projectId = newId('prj');
    const { id } = await service.newGoal(projectId);
    if (from !== 'active') await patch(projectId, id, { status: from });
    expect((await patch(projectId, id, { status: to })).status).toBe(status);
    const { body } = await service.call<LearningGoal>({ projectId, path: `/goals/${id}` });
    expect(body.status).toBe(status === 200 ? to : from);
  });

  it('has another revision when its instruction or model changes, and with an old ETag is 412 unchanged', async () => {
    const projectId = newId('prj');
    const { headers, body } = await create(projectId, GOAL);
    service.clock.advance(5);
    const named = await patch(projectId, body.id, { name: 'Other' }, { 'if-match': headers.get('etag') ?? '' });
    expect(named).toMatchObject({ status: 200, body: { name: 'Other', revision: 1, updatedAt: service.clock.now() } });
    const late = await patch(projectId, body.id, { name: 'Late' }, { 'if-match': headers.get('etag') ?? '' });
    expect(late.status).toBe(412);
    expect((await patch(projectId, body.id, { instruction: 'New' })).body).toMatchObject({
      revision: 2,
      name: 'Other',
    });
    expect((await patch(projectId, body.id, { model: 'nobody/knows' })).status).toBe(400);
    expect((await patch(projectId, body.id, {})).status).toBe(400);
  });

  it('of nobody, or of another project, is 404', async () => {
    const { id } = await service.newGoal(OTHER_PROJECT_ID);
    for (const goalId of [newId('goal'), id]) {
      expect((await service.call({ path: `/goals/${goalId}` })).status).toBe(404);
      expect((await service.call({ method: 'PATCH', path: `/goals/${goalId}`, body: { name: 'x' } })).status).toBe(404);
    }
  });
});

describe('the list of goals', () => {
  it('comes newest first in pages, by status, and with updatedAfter the oldest change first', async () => {
    const projectId = newId('prj');
    const goals: LearningGoal[] = [];
    for (const name of ['a', 'b', 'c']) {
      service.clock.advance(10);
      goals.push(await service.newGoal(projectId, { name }));
    }
    const list = async (query: string) => {
      const { body } = await service.call<{ goals: LearningGoal[]; nextCursor: string | null }>({
        ...{ projectId, path: `/goals?${query}` },
      });
      return { names: body.goals.map(({ name }) => name).join(''), next: body.nextCursor };
    };
    const first = await list('limit=2');
    expect(first.names).toBe('cb');
    expect(await list(`limit=2&cursor=${first.next}`)).toEqual({ names: 'a', next: null });
    service.clock.advance(10);
    await patch(projectId, goals[0]!.id, { status: 'paused' });
    expect((await list('status=paused')).names).toBe('a');
    expect((await list('status=active')).names).toBe('cb');
    expect((await list(`updatedAfter=${goals[1]!.updatedAt}`)).names).toBe('bca');
  });

  it.each(['limit=0', 'limit=501', 'status=gone', 'updatedAfter=x', 'surprise=1', 'cursor=abc'])(
    'refuses %s with 400',
    async (query) => {
      expect((await service.call({ path: `/goals?${query}` })).status).toBe(400);
    },
  );
});

describeAccess(
  [
    { call: { path: '/goals' }, needs: { scope: 'workspace:read', permission: 'project:read' }, answers: 200 },
    {
      call: { method: 'POST', path: '/goals', body: GOAL },
      needs: { scope: 'workspace:write', permission: 'project:update' },
      answers: 201,
    },
    { call: { path: '/items' }, needs: { scope: 'workspace:read', permission: 'project:read' }, answers: 200 },
  ],
  { call: (call) => service.call(call), otherProjectId: OTHER_PROJECT_ID },
);

describe('the model that a goal names', () => {
  it('is told when it becomes another one, and none once the goal is archived, so that its provider stays as long', async () => {
    const projectId = newId('prj');
    service.modelRuntime.reasons.set('acme/large', null).set('acme/small', null);
    const { body } = await create(projectId, { ...GOAL, model: 'acme/large' });
    for (const change of [{ name: 'Other' }, { model: 'acme/small' }, { status: 'archived' }, { status: 'active' }]) {
      expect((await patch(projectId, body.id, change)).status).toBe(200);
    }
    const own = (await emittedMessages(service.database, goalModelsNamed, projectId)).map(({ data }) => data);
    expect(own.map(({ models }) => models)).toEqual([['acme/large'], ['acme/small'], [], ['acme/small']]);
    const revisions = own.map(({ revision }) => revision);
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
  });
});
