import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiKey, Project, ProjectErasure } from '@clew/contracts';
import { nativeDb } from '@clew/persistence';
import { eventually, useTestEnvironment } from '@clew/testing';
import type { BootstrapResult } from '../bootstrap.ts';
import { makeWorkspace, startTestGateway, type TestGateway } from '../test-support/gateway.ts';

const environment = useTestEnvironment();
let gateway: TestGateway;
let stack: BootstrapResult;

beforeAll(async () => {
  // No service answers at its addresses: runs begin, and are put off.
  gateway = await startTestGateway(environment, { variables: { API_KEY_CACHE_MS: '0' } });
  stack = await makeWorkspace(gateway.database);
});
afterAll(() => gateway.stop());

const erase = (secret: string, projectId: string) =>
  gateway.ask<{ erasureId: string; code?: string }>(secret, 'DELETE', `/v1/projects/${projectId}`);
const receipt = (erasureId: string) =>
  gateway.ask<ProjectErasure>(stack.adminApiKey, 'GET', `/v1/project-erasures/${erasureId}`);

async function newProject(): Promise<string> {
  return (await gateway.ask<Project>(stack.adminApiKey, 'POST', '/v1/projects', { name: 'Doomed' })).body.id;
}

async function newKey(projectId: string, projectIds: readonly string[] = [projectId]): Promise<string> {
  const path = `/v1/projects/${projectId}/api-keys`;
  const body = { name: 'k', scopes: ['workspace:read', 'workspace:admin'], projectIds };
  const made = await gateway.ask<{ apiKey: ApiKey; secret: string }>(stack.adminApiKey, 'POST', path, body);
  expect(made.status).toBe(201);
  return made.body.secret;
}

describe('the deletion of a project', () => {
  it('closes it at once: its keys are none any more, and to others it is a missing thing', async () => {
    const [projectId, other] = [await newProject(), await newProject()];
    const [alone, among] = [await newKey(projectId), await newKey(projectId, [projectId, other])];
    const { status, body, headers } = await erase(stack.adminApiKey, projectId);
    expect({ status, body }).toEqual({ status: 202, body: { erasureId: expect.stringMatching(/^pers_/) } });
    expect(headers.get('location')).toBe(`/v1/project-erasures/${body.erasureId}`);
    const statusAt = async (secret: string, id: string) =>
      (await gateway.ask(secret, 'GET', `/v1/projects/${id}`)).status;
    await eventually(async () => {
      expect(await statusAt(alone, projectId)).toBe(401);
      expect([await statusAt(among, projectId), await statusAt(among, other)]).toEqual([404, 200]);
    });
    expect(await statusAt(stack.adminApiKey, projectId)).toBe(404);
    const below = await gateway.ask(stack.adminApiKey, 'GET', `/v1/projects/${projectId}/conversations`);
    expect(below.status).toBe(404);
    const audit = nativeDb(gateway.database.connection).collection('audit');
    expect(await audit.findOne({ targetId: projectId, action: 'project.deleted' })).toMatchObject({
      before: { name: 'Doomed' },
    });
    expect((await receipt(body.erasureId)).body).toMatchObject({ projectId, status: 'running', completedAt: null });
  });

  it('has one run, however often it is asked for, also by many at once', async () => {
    const projectId = await newProject();
    const answers = await Promise.all(Array.from({ length: 10 }, () => erase(stack.adminApiKey, projectId)));
    const [{ body }] = answers as [(typeof answers)[number]];
    for (const answer of answers) expect([answer.status, answer.body]).toEqual([202, body]);
    expect((await erase(stack.adminApiKey, projectId)).body).toEqual(body);
  });

  it('is the matter of a key for the whole workspace', async () => {
    const projectId = await newProject();
    const admin = await newKey(projectId);
    expect((await erase(admin, projectId)).status).toBe(403);
    expect((await erase(stack.apiKey, projectId)).status).toBe(403);
    const stranger = await makeWorkspace(gateway.database);
    expect((await erase(stranger.adminApiKey, projectId)).status).toBe(404);
    expect((await erase(stack.adminApiKey, 'prj_00000000000000000000000000')).status).toBe(404);
    const { body } = await erase(stack.adminApiKey, projectId);
    const read = await gateway.ask(stranger.adminApiKey, 'GET', `/v1/project-erasures/${body.erasureId}`);
    expect(read.status).toBe(404);
    expect((await gateway.ask(admin, 'GET', `/v1/project-erasures/${body.erasureId}`)).status).toBe(401);
  });
});
