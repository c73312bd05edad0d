import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deedRecorded } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

async function read(projectId: string) {
  const { status, body } = await service.call({ projectId, path: '/settings' });
  return { status, body };
}

async function patch(projectId: string, body: unknown) {
  const answer = await service.call({ method: 'PATCH', projectId, path: '/settings', body });
  return { status: answer.status, body: answer.body };
}

const DEFAULTS = {
  ...{ automaticSchedulingEnabled: true, expectationActivation: 'grammar', dailyAdjudications: 200 },
  ...{ reviewMode: null, reviewModel: null, dailyReviews: 200 },
  ...{ requiredExposures: 20, reopenOnRegression: false },
};
const settings = (automaticSchedulingEnabled: boolean, dailyAdjudications = 200) => ({
  status: 200,
  body: { settings: { ...DEFAULTS, automaticSchedulingEnabled, dailyAdjudications } },
});

describe('diagnostic settings', () => {
  it('have each change recorded for the audit, and nothing where nothing changes', async () => {
    const projectId = newId('prj');
    await patch(projectId, { dailyAdjudications: 5, automaticSchedulingEnabled: true });
    await patch(projectId, { dailyAdjudications: 5 });
    await patch(projectId, { dailyAdjudications: -1 });
    const deeds = await emittedMessages(service.database, deedRecorded, projectId);
    expect(deeds.map(({ data }) => data)).toMatchObject([
      { action: 'diagnostics-settings.changed', before: { dailyAdjudications: 200 }, after: { dailyAdjudications: 5 } },
    ]);
    expect(deeds[0]?.data.after).toEqual({ dailyAdjudications: 5 });
  });

  it('have automatic scheduling on in a project that set nothing', async () => {
    expect(await read(newId('prj'))).toEqual(settings(true));
  });

  it('answer a change with what holds from now on, and keep it', async () => {
    const projectId = newId('prj');
    expect(await patch(projectId, { automaticSchedulingEnabled: false })).toEqual(settings(false));
    expect(await read(projectId)).toEqual(settings(false));
    expect(await patch(projectId, { automaticSchedulingEnabled: true })).toEqual(settings(true));
    expect(await read(projectId)).toEqual(settings(true));
  });

  it('say who activates compiled Expectations, each setting changed alone', async () => {
    const projectId = newId('prj');
    await patch(projectId, { automaticSchedulingEnabled: false });
    const manual = {
      status: 200,
      body: {
        settings: { ...DEFAULTS, automaticSchedulingEnabled: false, expectationActivation: 'manual' },
      },
    };
    expect(await patch(projectId, { expectationActivation: 'manual' })).toEqual(manual);
    expect(await read(projectId)).toEqual(manual);
  });

  it('allow adjudication 200 calls a day in a project that set nothing, and as many as it says in another', async () => {
    const projectId = newId('prj');
    expect(await patch(projectId, { dailyAdjudications: 0 })).toEqual(settings(true, 0));
    expect(await patch(projectId, { automaticSchedulingEnabled: false })).toEqual(settings(false, 0));
  });

  it('verify a repair by 20 clean conversations in a project that set nothing, and leave its issue closed', async () => {
    const projectId = newId('prj');
    const changed = { requiredExposures: 3, reopenOnRegression: true };
    expect(await patch(projectId, changed)).toMatchObject({ body: { settings: { ...DEFAULTS, ...changed } } });
    expect(await read(projectId)).toMatchObject({ body: { settings: { ...DEFAULTS, ...changed } } });
  });

  it('are those of one project alone', async () => {
    const [projectId, other] = [newId('prj'), newId('prj')];
    await patch(projectId, { automaticSchedulingEnabled: false });
    expect(await read(other)).toEqual(settings(true));
  });

  it('take many first changes at once', async () => {
    const projectId = newId('prj');
    const changes = Array.from({ length: 8 }, () => patch(projectId, { automaticSchedulingEnabled: false }));
    expect(await Promise.all(changes)).toEqual(changes.map(() => settings(false)));
  });

  it.each([
    ['an unknown field', { automaticSchedulingEnabled: false, extractionEnabled: true }, 'body'],
    ['an unknown field alone', { enabled: false }, 'body'],
    ['a text for a boolean', { automaticSchedulingEnabled: 'false' }, 'body.automaticSchedulingEnabled'],
    ['null for a boolean', { automaticSchedulingEnabled: null }, 'body.automaticSchedulingEnabled'],
    ['an activation that does not exist', { expectationActivation: 'model' }, 'body.expectationActivation'],
    ['fewer calls than none', { dailyAdjudications: -1 }, 'body.dailyAdjudications'],
    ['half a call', { dailyAdjudications: 0.5 }, 'body.dailyAdjudications'],
    ['a mode of reviews that does not exist', { reviewMode: 'some' }, 'body.reviewMode'],
    ['a choice for the model of reviews', { reviewModel: 'service/auto' }, 'body.reviewModel'],
    ['less than no reviews', { dailyReviews: -1 }, 'body.dailyReviews'],
    ['no conversations to verify a repair', { requiredExposures: 0 }, 'body.requiredExposures'],
    ['more of them than 1,000', { requiredExposures: 1_001 }, 'body.requiredExposures'],
    ['a text for whether issues are reopened', { reopenOnRegression: 'yes' }, 'body.reopenOnRegression'],
    ['nothing to change', {}, 'body'],
    ['a list', [], 'body'],
    ['no body', undefined, 'body'],
  ])('refuse %s with 400 and stay as they are', async (_name, body, path) => {
    const projectId = newId('prj');
    await patch(projectId, { automaticSchedulingEnabled: false });
    expect(await patch(projectId, body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', details: expect.arrayContaining([{ path, message: expect.any(String) }]) },
    });
    expect(await read(projectId)).toEqual(settings(false));
  });
});
