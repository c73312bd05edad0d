import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nativeDb } from '@clew/persistence';
import { SCOPES, type Project } from '@clew/contracts';
import { explainSent, fixedClock, monitored, useTestEnvironment, type FixedClock } from '@clew/testing';
import type { BootstrapResult } from '../bootstrap.ts';
import { makeWorkspace, openTestDatabase, startTestGateway, type TestGateway } from '../test-support/gateway.ts';
import { createProjectStore } from './projects.store.ts';

interface Page {
  projects: Project[];
  nextCursor: string | null;
}

const environment = useTestEnvironment();
let gateway: TestGateway;
let clock: FixedClock;
let stack: BootstrapResult;

beforeAll(async () => {
  clock = fixedClock(Date.now());
  gateway = await startTestGateway(environment, { clock });
  stack = await makeWorkspace(gateway.database);
});
afterAll(() => gateway.stop());

describe('a project', () => {
  it('is made by a key for all projects, which can use it at once', async () => {
    const made = await gateway.ask<Project>(stack.adminApiKey, 'POST', '/v1/projects', { name: '  New  ' });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`/v1/projects/${made.body.id}`);
    expect(made.body).toMatchObject({ workspaceId: stack.workspaceId, name: 'New', createdAt: clock.now() });
    const read = await gateway.ask<Project>(stack.adminApiKey, 'GET', `/v1/projects/${made.body.id}`);
    expect(read.body).toEqual(made.body);
    const entry = await nativeDb(gateway.database.connection)
      .collection('audit')
      .findOne({ 'target.id': made.body.id });
    expect(entry).toMatchObject({ action: 'project.created', after: { name: 'New' } });
  });

  it('is made once for one Idempotency-Key, and a repeat is answered alike', async () => {
    const make = (name: string) =>
      gateway.ask<Project>(stack.adminApiKey, 'POST', '/v1/projects', { name }, { 'idempotency-key': 'made-once' });
    const first = await make('Once');
    const again = await make('Once');
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await make('Twice')).status).toBe(422);
    const projects = nativeDb(gateway.database.connection).collection('projects');
    expect(await projects.countDocuments({ name: { $in: ['Once', 'Twice'] } })).toBe(1);
  });

  it('is not made by a key for one project', async () => {
    const answer = await gateway.ask(stack.apiKey, 'POST', '/v1/projects', { name: 'New' });
    expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
  });

  it("is a missing thing to another project's key, as one that is not there", async () => {
    const others = await gateway.ask(stack.apiKey, 'GET', `/v1/projects/${stack.otherProjectId}`);
    const missing = await gateway.ask(stack.apiKey, 'GET', '/v1/projects/prj_00000000000000000000000000');
    expect(others.status).toBe(404);
    expect({ ...others.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
  });
});

describe('renaming a project', () => {
  const rename = (secret: string, projectId: string, body: unknown, headers: Record<string, string> = {}) =>
    gateway.ask<Project>(secret, 'PATCH', `/v1/projects/${projectId}`, body, headers);
  const deeds = (projectId: string) =>
    nativeDb(gateway.database.connection)
      .collection('audit')
      .find({ 'target.id': projectId, action: 'project.renamed' });

  it('is for a key of its own with workspace:admin, shows at once, and is in the audit with both names', async () => {
    const { projectId, apiKey } = await makeWorkspace(gateway.database);
    clock.advance(1);
    const renamed = await rename(apiKey, projectId, { name: ' Renamed ' });
    expect([renamed.status, renamed.body]).toMatchObject([200, { name: 'Renamed', updatedAt: clock.now() }]);
    const read = await gateway.ask<Project>(apiKey, 'GET', `/v1/projects/${projectId}`);
    expect([read.body, read.headers.get('etag')]).toEqual([renamed.body, renamed.headers.get('etag')]);
    const again = await rename(apiKey, projectId, { name: 'Renamed' });
    expect(again.body).toEqual(renamed.body);
    expect(await deeds(projectId).toArray()).toMatchObject([{ before: { name: 'First' }, after: { name: 'Renamed' } }]);
  });

  it('lets only the state be changed that the caller has seen', async () => {
    const { projectId, apiKey } = await makeWorkspace(gateway.database);
    const etag = (await gateway.ask(apiKey, 'GET', `/v1/projects/${projectId}`)).headers.get('etag') ?? '';
    const both = await Promise.all(
      ['one', 'two'].map((name) => rename(apiKey, projectId, { name }, { 'if-match': etag })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    expect(await deeds(projectId).toArray()).toHaveLength(1);
  });

  it('is refused without the right, for another project, and for what is no name', async () => {
    const stranger = await makeWorkspace(gateway.database);
    for (const [secret, projectId] of [
      [stack.apiKey, stack.otherProjectId],
      [stranger.adminApiKey, stack.projectId],
      [stack.adminApiKey, 'prj_00000000000000000000000000'],
    ] as const) {
      expect((await rename(secret, projectId ?? '', { name: 'Mine' })).status).toBe(404);
    }
    for (const body of [{}, { name: '' }, { name: 'a', workspaceId: stranger.workspaceId }]) {
      expect((await rename(stack.apiKey, stack.projectId, body)).status).toBe(400);
    }
    const scopes = SCOPES.filter((scope) => scope !== 'workspace:admin');
    const path = `/v1/projects/${stack.projectId}/api-keys`;
    const made = await gateway.ask<{ secret: string }>(stack.apiKey, 'POST', path, { name: 'k', scopes });
    const answer = await gateway.ask(made.body.secret, 'PATCH', `/v1/projects/${stack.projectId}`, { name: 'Mine' });
    expect([answer.status, answer.body.message]).toEqual([403, 'The scope workspace:admin is required']);
    expect(answer.body).toMatchObject({ details: [{ path: 'scope', message: 'workspace:admin' }] });
  });
});

describe('listing projects', () => {
  it('walks through those that the key opens, newest first, each once', async () => {
    const workspace = await makeWorkspace(gateway.database);
    for (let count = 0; count < 7; count += 1) {
      if (count % 3 === 0) clock.advance(1);
      await gateway.ask(workspace.adminApiKey, 'POST', '/v1/projects', { name: `project ${count}` });
    }
    for (const limit of [1, 3, 100]) {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const { body } = await gateway.ask<Page>(workspace.adminApiKey, 'GET', `/v1/projects?limit=${limit}${query}`);
        seen.push(...body.projects.map(({ id }) => id));
        cursor = body.nextCursor;
      }
      expect(seen).toHaveLength(9);
      expect(new Set(seen).size).toBe(9);
    }
    const { body } = await gateway.ask<Page>(workspace.apiKey, 'GET', '/v1/projects');
    expect(body.projects.map(({ id }) => id)).toEqual([workspace.projectId]);
  });

  it('refuses the cursor of another workspace', async () => {
    const workspace = await makeWorkspace(gateway.database);
    const { body } = await gateway.ask<Page>(workspace.adminApiKey, 'GET', '/v1/projects?limit=1');
    const answer = await gateway.ask(stack.adminApiKey, 'GET', `/v1/projects?cursor=${body.nextCursor}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_CURSOR']);
  });

  it('is read in the order of an index', async () => {
    const database = await openTestDatabase(environment, monitored(environment.mongoUrl));
    const projects = createProjectStore(database);
    const { workspaceId, projectId } = stack;
    const explained = await explainSent(database, async () => {
      for (const after of [undefined, [clock.now(), projectId ?? '']]) {
        await projects.list(workspaceId, 'all', { limit: 10, after });
      }
    });
    const isIndexed = expect.stringMatching(/^find projects:.* IXSCAN$/);
    expect(explained.map(({ plan }) => plan)).toEqual([isIndexed, isIndexed]);
    await database.close();
  });
});
