import { encodeConversation, eventually, toOtlpJson } from '@clew/testing';
import { callApi } from './api.ts';
import { failingToolConversation } from './conversations.ts';
import type { TestProject } from './test-project.ts';

/** Sends a conversation that leads to a Finding; returns the path of the Finding, below its project, once it exists. */
export async function makeFinding(project: TestProject): Promise<string> {
  const script = failingToolConversation('order-1');
  const told = encodeConversation(script, { dialect: 'genai', startMs: Date.now(), idSeed: script.conversationId });
  const { status } = await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson(told) });
  if (status !== 200) throw new Error(`The conversation was not taken: ${status}`);
  return await eventually(
    async () => {
      const [finding] = await project.findings();
      if (finding === undefined) throw new Error('nothing was found yet');
      return `/diagnostics/findings/${finding.id}`;
    },
    { timeoutMs: 30_000 },
  );
}
