import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiKey, Project, ProjectErasure } from '@clew/contracts';
import { nativeDb } from '@clew/persistence';
import { eventually, silentLogger, useTestEnvironment } from '@clew/testing';
import { systemClock } from '@clew/kernel';
import { createApiKeyStore } from '../api-keys/api-keys.store.ts';
import type { BootstrapResult } from '../bootstrap.ts';
import { createProjectStore } from '../projects/projects.store.ts';
import { makeWorkspace, startTestGateway, type TestGateway } from '../test-support/gateway.ts';
import { createProjectErasures } from './create-project-erasures.ts';

const environment = useTestEnvironment();
let gateway: TestGateway;
let stack: BootstrapResult;

beforeAll(async () => {
  // No service listens at the configured addresses: runs begin and are put off.
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

async function revoke(projectId: string, secret: string): Promise<void> {
  const { body } = await gateway.ask<{ id: string }>(secret, 'GET', '/v1/me');
  const path = `/v1/projects/${projectId}/api-keys/${body.id}`;
  expect((await gateway.ask(stack.adminApiKey, 'DELETE', path)).status).toBe(204);
}

async function newKey(projectId: string, projectIds: readonly string[] = [projectId], name = 'k'): Promise<string> {
  const path = `/v1/projects/${projectId}/api-keys`;
  const body = { name, scopes: ['workspace:read', 'workspace:admin'], projectIds };
  const made = await gateway.ask<{ apiKey: ApiKey; secret: string }>(stack.adminApiKey, 'POST', path, body);
  expect(made.status).toBe(201);
  return made.body.secret;
}

/** Erases the gateway's own part in the same way as a run, repeatedly until nothing is left. */
async function eraseIdentity(projectId: string): Promise<Record<string, number>> {
  const { database } = gateway;
  const { loop } = createProjectErasures({
    ...{ database, clock: systemClock, logger: silentLogger(), sign: () => '', forgetProject: () => undefined },
    ...{ config: gateway.config, apiKeys: createApiKeyStore(database), projects: createProjectStore(database) },
    closePeople: async () => ({}),
  });
  const removed: Record<string, number> = {};
  for (let done = false; !done;) {
    const batch = await loop.parts.identity(projectId);
    for (const [name, count] of Object.entries(batch.removed)) removed[name] = (removed[name] ?? 0) + count;
    ({ done } = batch);
  }
  return removed;
}

describe('the deletion of a project', () => {
  it('takes its keys along, those that were revoked before too, and no other key', async () => {
    const [projectId, other] = [await newProject(), await newProject()];
    const ids = async (named: string) => {
      const found = await nativeDb(gateway.database.connection)
        .collection('api_keys')
        .find({ projectIds: named })
        .toArray();
      return found.map(({ name }) => String(name)).toSorted();
    };
    await newKey(projectId, [projectId], 'live');
    await newKey(projectId, [projectId, other], 'live for both');
    await revoke(projectId, await newKey(projectId, [projectId], 'revoked'));
    await revoke(projectId, await newKey(projectId, [projectId, other], 'revoked for both'));
    await newKey(other, [other], 'of the other');
    await erase(stack.adminApiKey, projectId);
    expect(await eraseIdentity(projectId)).toMatchObject({ revokedKeys: 3 });
    expect(await ids(projectId)).toEqual([]);
    expect(await ids(other)).toEqual(['live for both', 'of the other', 'revoked for both']);
    const keys = nativeDb(gateway.database.connection).collection('api_keys');
    expect(await keys.countDocuments({ name: { $in: ['live', 'revoked'] } })).toBe(0);
    expect(await eraseIdentity(projectId)).toEqual({});
  });

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
    expect(await audit.findOne({ 'target.id': projectId, action: 'project.deleted' })).toMatchObject({
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
