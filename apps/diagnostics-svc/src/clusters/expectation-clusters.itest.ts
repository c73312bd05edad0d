import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Expectation, Finding } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { checkedResult, NEVER_PAY, snapshotOfParts } from '../test-support/expectations.ts';
import { detectionOf, resultOf } from '../test-support/results.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { findingIdOf } from '../findings/occurrence.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

function post<Body>(projectId: string, path: string, body: object) {
  return service.call<Body>({ projectId, method: 'POST', path, body });
}

describe('an Expectation that is deleted', () => {
  it('is withdrawn from what was split off its Finding, and from what its Finding was merged into', async () => {
    const projectId = newId('prj');
    const asked = { statement: 'Never pay', check: NEVER_PAY };
    const { body: expectation } = await post<Expectation>(projectId, '/expectations', asked);
    const snapshots = ['a', 'b', 'c'].map((conversationId) =>
      snapshotOfParts({ projectId, conversationId, calls: ['pay'] }),
    );
    await service.take(checkedResult(snapshots, { revision: 1, active: [expectation] }));
    await service.take(resultOf({ projectId, conversationId: 'a', found: { rule_a: ['loop'] } }));
    const loop = findingIdOf(projectId, detectionOf('loop').clusterFingerprint);
    const { body: list } = await service.call<{ findings: Finding[] }>({ projectId, path: '/findings' });
    const broken = list.findings.find(({ id }) => id !== loop)!.id;
    const { body: child } = await post<Finding>(projectId, `/findings/${broken}/split`, { conversationIds: ['b'] });
    await post(projectId, `/findings/${broken}/merge`, { into: loop });
    const path = `/findings/${loop}`;
    expect((await service.call<Finding>({ projectId, path })).body).toMatchObject({ occurrenceCount: 2 });
    const deleted = await service.call({ projectId, method: 'DELETE', path: `/expectations/${expectation.id}` });
    expect([202, 204]).toContain(deleted.status);
    while ((await service.review()) > 0);
    for (const [id, occurrenceCount] of [
      [loop, 1],
      [broken, 0],
      [child.id, 0],
    ] as const) {
      const { body } = await service.call<Finding>({ projectId, path: `/findings/${id}` });
      expect({ id, occurrenceCount: body.occurrenceCount }).toEqual({ id, occurrenceCount });
    }
  });
});
