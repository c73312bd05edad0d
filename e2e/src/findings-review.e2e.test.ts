import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Finding } from '@clew/contracts';
import { makeFinding } from './support/findings.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

let project: TestProject;
let path: string;

beforeAll(async () => {
  project = await createTestProject('findings review');
  path = await makeFinding(project);
});

const patch = (body: object) => project.call<Finding>(path, { method: 'PATCH', body });

describe('Finding PATCH: body has exactly one of reviewStatus or resolutionStatus', () => {
  it('never both in one request, and never neither', async () => {
    expect((await patch({ reviewStatus: 'confirmed', resolutionStatus: 'resolved' })).status).toBe(400);
    expect((await patch({})).status).toBe(400);
  });

  it.each(['resolved', 'unresolved'])('manual resolution values: %s', async (resolutionStatus) => {
    expect(await patch({ resolutionStatus })).toMatchObject({ status: 200, body: { resolutionStatus } });
  });

  it.each(['awaiting_verification', 'regressed'])('%s is no manual resolution value', async (resolutionStatus) => {
    expect((await patch({ resolutionStatus })).status).toBe(400);
  });
});

describe('Finding (review): any', () => {
  it.each(['confirmed', 'unreviewed', 'dismissed'])('PATCH reviewStatus = %s', async (reviewStatus) => {
    expect(await patch({ reviewStatus })).toMatchObject({ status: 200, body: { reviewStatus } });
  });

  it('dismissed: resolution state is cleared atomically', async () => {
    expect((await patch({ resolutionStatus: 'resolved' })).body.resolvedAt).toEqual(expect.any(Number));
    expect((await patch({ reviewStatus: 'dismissed' })).body).toMatchObject({
      ...{ reviewStatus: 'dismissed', resolutionStatus: 'unresolved', resolvedAt: null, regressedAt: null },
    });
  });
});

describe('Finding list', () => {
  it('holds findings, each with its primary work item, and pagination with limit and nextCursor', async () => {
    const { body } = await project.call<{ findings: Finding[]; pagination: object }>('/diagnostics/findings?limit=500');
    expect(body.pagination).toEqual({ limit: 500, nextCursor: null });
    expect(body.findings.every(({ workItem }) => workItem === null)).toBe(true);
  });

  it('filters by reviewStatus and resolutionStatus as PATCH has set them', async () => {
    await patch({ reviewStatus: 'confirmed' });
    await patch({ resolutionStatus: 'resolved' });
    const ids = async (query: string) =>
      (await project.call<{ findings: Finding[] }>(`/diagnostics/findings?${query}`)).body.findings.map(({ id }) => id);
    const id = path.split('/').at(-1);
    expect(await ids('reviewStatus=confirmed&resolutionStatus=resolved')).toEqual([id]);
    expect(await ids('reviewStatus=confirmed&resolutionStatus=unresolved')).toEqual([]);
    expect(await ids('reviewStatus=dismissed')).toEqual([]);
  });

  it.each(['limit=0', 'limit=501'])('limit is 1 to 500: %s is 400', async (query) => {
    expect((await project.call(`/diagnostics/findings?${query}`)).status).toBe(400);
  });
});

it('FINDING_NOT_FOUND: the Finding is missing', async () => {
  const missing = `/diagnostics/findings/fnd_${'1'.repeat(26)}`;
  const answer = await project.call(missing, { method: 'PATCH', body: { reviewStatus: 'confirmed' } });
  expect(answer).toMatchObject({ status: 404, body: { code: 'FINDING_NOT_FOUND' } });
});
