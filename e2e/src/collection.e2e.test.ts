import { describe, expect, it } from '@jest/globals';
import type { Dataset, Example, Finding } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { decisionsOf, tell, untilDecided } from './support/collection.ts';
import { cancelledOrder, failingToolConversation, MAIL, THANKS } from './support/conversations.ts';
import { allExamples, createTestDataset, type TestDataset } from './support/datasets.ts';
import { runningStack } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const LONG = { timeoutMs: 45_000 };
const OBJECTIVE = { collectionObjective: 'preserve_successful_behavior' } as const;
async function exported(project: TestProject, { path }: TestDataset, query = ''): Promise<number> {
  const url = `${runningStack().gatewayUrl}/v1/projects/${project.id}${path}/export?format=jsonl${query}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${project.apiKey}` } });
  return (await response.text()).split('\n').filter((line) => line !== '').length;
}

describe('a Dataset that preserves successful behavior', () => {
  it('copies the verified output of a conversation that succeeded, with its origin, and needs no model', async () => {
    const project = await createTestProject('preserves');
    const dataset = await createTestDataset(project, OBJECTIVE);
    expect(dataset.dataset).toMatchObject({ collectionStatus: 'ready', blockedReason: null });
    await tell(project, cancelledOrder('17'));
    await tell(project, cancelledOrder('18', [{ role: 'user', content: 'Thanks, but it is still there.' }]));
    const { exampleIds } = await untilDecided(project, dataset, '17', 'collected');
    const refused = await untilDecided(project, dataset, '18', 'refused');
    expect(refused).toMatchObject({ reason: 'no_success_signal', exampleIds: [] });

    const examples = await allExamples(project, dataset.path);
    expect(examples.map(({ id }) => id)).toEqual(exampleIds);
    const [{ source, tags, payload }] = examples as [Example];
    expect(source).toMatchObject({ kind: 'conversation', conversationId: '17' });
    expect(source.traceIds?.length).toBeGreaterThan(0);
    expect(source.derivationKey).toMatch(/^preserve_successful_behavior:[0-9a-f]{32}$/);
    expect(payload.expectedOutput).toEqual({
      ...{
        type: 'chat_message',
        message: { role: 'assistant', content: 'Order 17 is cancelled.', name: 'order-desk' },
      },
    });
    const { messages } = payload.input as { messages: { role: string; content: string | null }[] };
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'tool']);
    expect(tags).toEqual(['collected', 'redacted']);
    expect(JSON.stringify(examples)).not.toContain(MAIL);
    expect(JSON.stringify(messages)).toContain('[email 1]');
    expect((await project.call<Dataset>(dataset.path)).body.exampleCount).toBe(1);
  });

  it('takes nothing where a problem stands against the conversation, until a person has dismissed it', async () => {
    const project = await createTestProject('problems');
    const dataset = await createTestDataset(project, OBJECTIVE);
    const failing = failingToolConversation('19');
    await tell(project, { ...failing, messages: [...failing.messages, THANKS] });
    const { reason } = await untilDecided(project, dataset, '19', 'refused');
    expect(reason).toBe('open_problem');
    const score = { body: { name: 'quality', value: true, source: 'user' } };
    expect((await project.call('/conversations/19/scores', score)).status).toBe(201);
    for (const finding of await project.findings()) {
      const dismissed = { method: 'PATCH', body: { reviewStatus: 'dismissed' } } as const;
      expect((await project.call<Finding>(`/diagnostics/findings/${finding.id}`, dismissed)).status).toBe(200);
    }
    await untilDecided(project, dataset, '19', 'collected');
    const [finding] = await project.findings('&reviewStatus=dismissed');
    const confirmed = { method: 'PATCH', body: { reviewStatus: 'confirmed' } } as const;
    expect((await project.call(`/diagnostics/findings/${finding!.id}`, confirmed)).status).toBe(200);
    await untilDecided(project, dataset, '19', 'stale');
    expect([await exported(project, dataset), await exported(project, dataset, '&includeStale=true')]).toEqual([0, 1]);
  });

  it('never collects again what a person has deleted, and nothing while it is frozen', async () => {
    const project = await createTestProject('final');
    const dataset = await createTestDataset(project, OBJECTIVE);
    await tell(project, cancelledOrder('20'));
    const { exampleIds } = await untilDecided(project, dataset, '20', 'collected');
    expect((await project.call(`${dataset.path}/examples/${exampleIds[0]}`, { method: 'DELETE' })).status).toBe(204);
    const score = { body: { name: 'quality', value: true, source: 'user' } };
    expect((await project.call('/conversations/20/scores', score)).status).toBe(201);
    await untilDecided(project, dataset, '20', 'removed_by_hand');
    await eventually(async () => {
      const [decision] = await decisionsOf(project, dataset, '&conversationId=20');
      expect(decision?.outcome).toBe('removed_by_hand');
    }, LONG);

    const frozen = { method: 'PATCH', body: { collectionEnabled: false } } as const;
    expect((await project.call<Dataset>(dataset.path, frozen)).body.collectionStatus).toBe('off');
    const other = await createTestDataset(project, OBJECTIVE);
    await tell(project, cancelledOrder('21'));
    await untilDecided(project, other, '21', 'collected');
    expect(await decisionsOf(project, dataset, '&conversationId=21')).toEqual([]);
    expect(await allExamples(project, dataset.path)).toEqual([]);
  });

  it('replaces what it collected when the conversation goes on, and forgets an erased one', async () => {
    const project = await createTestProject('goes-on');
    const dataset = await createTestDataset(project, OBJECTIVE);
    await tell(project, cancelledOrder('22'));
    const before = await untilDecided(project, dataset, '22', 'collected');
    const more = [
      THANKS,
      { role: 'user', content: 'One more thing: what is your name?' },
      { role: 'assistant', content: 'I am the order desk.' },
      { role: 'user', content: 'Great, thanks.' },
    ] as const;
    await tell(project, cancelledOrder('22', [...more]));
    const after = await untilDecided(project, dataset, '22', 'replaced');
    expect(after.exampleIds).not.toEqual(before.exampleIds);
    const [example, ...others] = await allExamples(project, dataset.path);
    expect(others).toEqual([]);
    expect(example!.payload.expectedOutput).toMatchObject({ message: { content: 'I am the order desk.' } });
    expect((await project.call('/conversations/22', { method: 'DELETE' })).status).toBeLessThan(300);
    await eventually(async () => {
      expect(await allExamples(project, dataset.path)).toEqual([]);
      expect(await decisionsOf(project, dataset)).toEqual([]);
    }, LONG);
  });
});
