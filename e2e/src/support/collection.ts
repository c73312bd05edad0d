import { expect } from '@jest/globals';
import type { CollectionDecision } from '@clew/contracts';
import { encodeConversation, eventually, toOtlpJson, type ScriptedConversation } from '@clew/testing';
import { allText, capableModel, type Reply } from '@clew/testing/provider';
import { callApi } from './api.ts';
import type { TestDataset } from './datasets.ts';
import type { TestProject } from './test-project.ts';

const LONG = { timeoutMs: 45_000 };

/** Tells a conversation over OTLP, as one that ended a minute ago. */
export async function tell(project: TestProject, script: ScriptedConversation): Promise<void> {
  const told = encodeConversation(script, {
    ...{ dialect: 'genai', startMs: Date.now() - 60_000, idSeed: `${project.id}:${script.conversationId}` },
  });
  const { status } = await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson(told) });
  expect(status).toBe(200);
}

export async function decisionsOf(
  project: TestProject,
  { path }: TestDataset,
  query = '',
): Promise<CollectionDecision[]> {
  const { status, body } = await project.call<{ decisions: CollectionDecision[] }>(
    `${path}/collection/decisions?limit=100${query}`,
  );
  expect(status).toBe(200);
  return body.decisions;
}

/** Waits for a decision on a conversation, or on a Knowledge item. */
export async function untilDecided(
  project: TestProject,
  dataset: TestDataset,
  subject: string,
  outcome: string,
): Promise<CollectionDecision> {
  const name = subject.startsWith('kitm_') ? 'itemId' : 'conversationId';
  return await eventually(async () => {
    const [decision] = await decisionsOf(project, dataset, `&${name}=${subject}`);
    if (decision?.outcome !== outcome) throw new Error(`It is decided otherwise: ${JSON.stringify(decision)}`);
    return decision;
  }, LONG);
}

/** Answers of a model that writes responses: by the question, and the second look. */
export interface Written {
  response?: { content: string; quote: string; messageIndex: number };
  item?: { question: string; answer: string; quote: string };
  right?: 'yes' | 'no';
}

/** Scripted model that writes what it is told, and can judge. */
export function writingModel(writtenFor: (prompt: string) => Written): Reply {
  return capableModel((request) => {
    const prompt = allText(request);
    const { response, item, right = 'yes' } = writtenFor(prompt);
    if (prompt.includes('You correct one message') && response !== undefined) {
      const { content, ...quote } = response;
      const answer = {
        reasoning: 'The rules decide.',
        known: true,
        content,
        toolCalls: [],
        quotes: [quote],
        persons: [],
      };
      return { text: JSON.stringify(answer) };
    }
    if (prompt.includes('You turn a piece of knowledge') && item !== undefined) {
      const { quote, ...said } = item;
      return {
        text: JSON.stringify({ reasoning: 'Users ask.', suitable: true, ...said, quotes: [quote], persons: [] }),
      };
    }
    if (prompt.includes('sceptic')) return { text: JSON.stringify({ against: '', because: 'It is so.', right }) };
    return { text: '{"items":[],"verdicts":[]}' };
  });
}
