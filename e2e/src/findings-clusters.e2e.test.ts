import { describe, expect, it } from '@jest/globals';
import type { Finding, FindingActivity } from '@clew/contracts';
import { makeFinding } from './support/findings.ts';
import { createTestProject } from './support/test-project.ts';

describe('conversations of a Finding', () => {
  it('get one of their own, which is merged back and taken out again, through the gateway, by whoever asks', async () => {
    const project = await createTestProject('finding clusters');
    const path = await makeFinding(project);
    const { body: finding, headers } = await project.call<Finding>(path);
    const condition = { conversationIds: [finding.conversationId] };
    const refused = await project.call(`${path}/split`, { body: condition, headers: { 'if-match': '"other"' } });
    expect(refused).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    const split = await project.call<Finding>(`${path}/split`, {
      body: condition,
      headers: { 'if-match': headers.get('etag') ?? '' },
    });
    expect(split).toMatchObject({ status: 201, body: { splitFrom: finding.id, occurrenceCount: 1 } });
    expect((await project.call<Finding>(path)).body).toMatchObject({ id: finding.id, occurrenceCount: 0 });
    const part = `/diagnostics/findings/${split.body.id}`;
    const merged = await project.call<Finding>(`${part}/merge`, { body: { into: finding.id } });
    expect(merged).toMatchObject({ status: 200, body: { id: split.body.id, mergedInto: finding.id } });
    expect((await project.call<Finding>(path)).body).toMatchObject({ occurrenceCount: 1, title: finding.title });
    const ids = (await project.findings()).map(({ id }) => id);
    expect([ids.includes(finding.id), ids.includes(split.body.id)]).toEqual([true, false]);
    const again = await project.call(`${part}/merge`, { body: { into: finding.id } });
    expect(again).toMatchObject({ status: 409, body: { code: 'FINDING_MERGED' } });
    expect((await project.call<Finding>(`${part}/unmerge`, { method: 'POST' })).body.mergedInto).toBeNull();
    const { body } = await project.call<{ activity: FindingActivity[] }>(`${part}/activity`);
    expect(body.activity.map(({ kind }) => kind)).toEqual(['unmerge', 'merge', 'split']);
  });
});
