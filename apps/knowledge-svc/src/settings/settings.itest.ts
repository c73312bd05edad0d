import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { describeAccess } from '@clew/testing/identities';
import { OTHER_PROJECT_ID, startTestService, type TestService } from '../test-support/service.ts';

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

async function patch(projectId: string, change: unknown) {
  const { status, body } = await service.call({ method: 'PATCH', projectId, path: '/settings', body: change });
  return { status, body };
}

const settings = (extractionEnabled: boolean) => ({ status: 200, body: { settings: { extractionEnabled } } });

describe('the settings of Knowledge', () => {
  it('have automatic extraction off in a project that set nothing', async () => {
    expect(await read(newId('prj'))).toEqual(settings(false));
  });

  it('answer a change with what holds from now on, and keep it, for one project alone', async () => {
    const [projectId, other] = [newId('prj'), newId('prj')];
    expect(await patch(projectId, { extractionEnabled: true })).toEqual(settings(true));
    expect(await read(projectId)).toEqual(settings(true));
    expect(await read(other)).toEqual(settings(false));
    expect(await patch(projectId, { extractionEnabled: false })).toEqual(settings(false));
  });

  it.each([
    ['an unknown field', { extractionEnabled: true, model: 'a/b' }, 'body'],
    ['a text for a boolean', { extractionEnabled: 'true' }, 'body.extractionEnabled'],
    ['null for a boolean', { extractionEnabled: null }, 'body.extractionEnabled'],
    ['nothing to change', {}, 'body.extractionEnabled'],
    ['no body', undefined, 'body'],
  ])('refuse %s with 400 and stay as they are', async (_name, body, path) => {
    const projectId = newId('prj');
    await patch(projectId, { extractionEnabled: true });
    expect(await patch(projectId, body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', details: expect.arrayContaining([{ path, message: expect.any(String) }]) },
    });
    expect(await read(projectId)).toEqual(settings(true));
  });
});

describeAccess(
  [
    {
      call: { path: '/settings' },
      needs: { scope: 'workspace:read', permission: 'project:read' },
      answers: 200,
    },
    {
      call: { method: 'PATCH', path: '/settings', body: { extractionEnabled: false } },
      needs: { scope: 'workspace:write', permission: 'project:update' },
      answers: 200,
    },
  ],
  { call: (call) => service.call(call), otherProjectId: OTHER_PROJECT_ID },
);
