import { encodeConversation, eventually, toOtlpJson, type ScriptedConversation } from '@clew/testing';
import type { Conversation } from '@clew/contracts';
import { sceneOf, type Scene } from '@clew/browser';
import { callApi } from '../api.ts';
import { createTestDataset } from '../datasets.ts';
import { createTestProject, type TestProject } from '../test-project.ts';
import { ALL_PARAGRAPHS, ALL_WORDS, HOSTILE_SIZES, HOSTILE_WORDS } from './hostile-words.ts';

/** Names may not be longer. */
const NAME_LENGTH = 200;
/** Hostile words that a name may have. */
const NAME = ALL_WORDS.replaceAll(/\p{C}/gu, '').slice(0, NAME_LENGTH);
const READY_TIMEOUT_MS = 60_000;

export interface HostileProject extends TestProject {
  readonly scene: Scene;
  /** Conversations of hostile words and sizes, by what they are. */
  readonly conversationIds: Readonly<Record<string, string>>;
}

/** Makes a project in which strangers have written hostile words wherever somebody may write. */
export async function hostileProject(): Promise<HostileProject> {
  const project = await createTestProject(NAME);
  const texts = { words: ALL_WORDS, paragraphs: ALL_PARAGRAPHS, ...HOSTILE_SIZES };
  const conversationIds: Record<string, string> = {};
  for (const [name, text] of Object.entries(texts)) {
    conversationIds[name] = `hostile ${name} <img src=x> #?&%2f`;
    await tell(project, scriptOf(conversationIds[name], text));
  }
  await eventually(() => allDiagnosed(project, Object.keys(texts).length), { timeoutMs: READY_TIMEOUT_MS });
  await write(project);
  const scene = await sceneOf(async (path) => (await project.call<unknown>(path)).body);
  const comments = `/diagnostics/findings/${scene['finding']}/comments`;
  for (const text of Object.values(HOSTILE_WORDS)) await project.call(comments, { body: { text } });
  return { ...project, scene, conversationIds };
}

/** Writes what people write: a Learning Goal, and a Dataset with an Example. */
async function write(project: TestProject): Promise<void> {
  await make(project, '/knowledge/goals', { name: NAME, instruction: NAME });
  const { dataset, path } = await createTestDataset(project, { name: NAME, description: NAME });
  const said = { role: 'user', content: ALL_WORDS };
  const answer = { type: 'chat_message', message: { role: 'assistant', content: ALL_WORDS } };
  await make(project, `${path}/examples`, {
    payload: { input: { type: 'chat', messages: [said] }, expectedOutput: answer, rejectedOutput: answer },
    source: { kind: 'manual', externalRef: dataset.id },
  });
}

async function make(project: TestProject, path: string, body: object): Promise<void> {
  const answer = await project.call<unknown>(path, { body });
  if (answer.status !== 201) throw new Error(`${path} was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
}

async function allDiagnosed(project: TestProject, count: number): Promise<void> {
  const { body } = await project.call<{ conversations: Conversation[] }>('/conversations?hasFinding=true&limit=100');
  const found = body.conversations.length;
  if (found < count) throw new Error(`only ${found} hostile conversations have a Finding yet`);
}

/** Conversation with the text in every place, in which a tool fails and the agent claims success. */
function scriptOf(conversationId: string, text: string): ScriptedConversation {
  const name = text.slice(0, NAME_LENGTH);
  return {
    ...{ conversationId, agent: name, model: name, userId: name },
    messages: [
      { role: 'system', content: text },
      { role: 'user', content: text },
      { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', name, arguments: { [name]: text, id: 17 } }] },
      { role: 'tool', toolCallId: 'call_1', name, content: `Error: 503 ${text}`, isError: true },
      { role: 'assistant', content: `Your order has been cancelled. ${text}`, finishReason: 'stop' },
    ],
  };
}

async function tell(project: TestProject, script: ScriptedConversation): Promise<void> {
  const told = encodeConversation(script, { dialect: 'genai', startMs: Date.now(), idSeed: script.conversationId });
  const { status, body } = await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson(told) });
  if (status !== 200) throw new Error(`A hostile conversation was not taken: ${status} ${JSON.stringify(body)}`);
}
