import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChangeEvent, type Finding } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { makeFinding } from './support/findings.ts';
import { runningStack } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const WAIT = { timeoutMs: 30_000 };

let project: TestProject;
const closing = new AbortController();

beforeAll(async () => {
  project = await createTestProject('listening');
});
afterAll(() => closing.abort());

/** Listens to the project; the events that have arrived are added to the returned list. */
async function listen(): Promise<ChangeEvent[]> {
  const url = new URL(`/v1/projects/${project.id}/events`, runningStack().gatewayUrl);
  const headers = { authorization: `Bearer ${project.apiKey}` };
  const response = await fetch(url, { headers, signal: closing.signal });
  expect(response.status).toBe(200);
  const heard: ChangeEvent[] = [];
  const read = async () => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of response.body ?? []) {
      const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const [, data] of blocks.map((block) => /^data: (.*)$/m.exec(block) ?? [])) {
        if (data !== undefined) heard.push(ChangeEvent.parse(JSON.parse(data)));
      }
    }
  };
  void read().catch(() => undefined);
  await eventually(() => expect(heard.map(({ type }) => type)).toEqual(['ready']), WAIT);
  return heard;
}

const hears = (heard: readonly ChangeEvent[], type: ChangeEvent['type'], id: string) =>
  eventually(() => expect(heard.filter((event) => event.type === type).map((event) => event.id)).toContain(id), WAIT);

describe('a page that listens to a project', () => {
  it('hears of a conversation that comes in, of what is found in it, and of what people do with it', async () => {
    const heard = await listen();
    const path = await makeFinding(project);
    const { body: finding } = await project.call<Finding>(path);
    await hears(heard, 'conversation', finding.conversationId);
    await hears(heard, 'diagnosis', finding.conversationId);
    await hears(heard, 'finding', finding.id);
    const before = heard.length;
    const changed = await project.call(path, { method: 'PATCH', body: { reviewStatus: 'confirmed' } });
    expect(changed.status).toBe(200);
    await eventually(
      () => expect(heard.slice(before).some(({ type, id }) => type === 'finding' && id === finding.id)).toBe(true),
      WAIT,
    );
  });

  it('hears of the things that the administration of the project changes', async () => {
    const heard = await listen();
    const { status } = await project.call('/knowledge/settings', {
      method: 'PATCH',
      body: { extractionEnabled: true },
    });
    expect(status).toBe(200);
    await hears(heard, 'knowledgeSettings', 'knowledge');
    const body = { name: 'heard', schema: { type: 'chat', version: 1 } };
    const made = await project.call<{ id: string }>('/datasets', { body });
    expect(made.status).toBe(201);
    await project.call(`/datasets/${made.body.id}`, { method: 'DELETE' });
    await hears(heard, 'dataset', made.body.id);
  });
});
