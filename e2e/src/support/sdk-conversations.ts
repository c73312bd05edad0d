import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Conversation, ConversationSummary } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { lastUserText, startProvider, usageOf, type ChatRequest } from '@clew/testing/provider';
import type { ScriptedAnswer, ScriptedProvider } from '@clew/testing/provider';
import { runSdkProgram, type SdkProgram } from './sdks.ts';
import { runningStack } from './stack.ts';
import { createTestProject, type TestProject } from './test-project.ts';

const MODEL = 'loop/tiny-chat';
const CALL = { id: 'call_1', name: 'add', arguments: { a: 1, b: 1 } };
export const INSTALL_TIMEOUT_MS = 600_000;
const READY_TIMEOUT_MS = 40_000;

let provider: ScriptedProvider;

/** Starts the scripted provider before the tests of a file, and stops it after them. */
export function useSdkProvider(): void {
  beforeAll(async () => {
    provider = await startProvider({ apiKey: 'sk-provider', reply });
  });
  afterAll(() => provider.stop());
}

/** Replies with a tool call if the request has tools and no tool result yet; refuses the questions that must fail. */
function reply(request: ChatRequest): ScriptedAnswer {
  if (lastUserText(request).startsWith('Failed:')) return { status: 400 };
  const isCalled = request.messages.some(({ role }) => role === 'tool');
  return request.tools !== undefined && !isCalled
    ? { toolCalls: [CALL] }
    : { text: `You said: ${lastUserText(request)}` };
}

/** Project whose calls go to the scripted provider, with everything that the SDK has reported about them. */
export async function tried(name: string, program: SdkProgram): Promise<{ project: TestProject; missing?: string }> {
  const project = await createTestProject(name);
  const body = { name: 'loop', baseUrl: provider.url, apiKey: 'sk-provider' };
  expect((await project.call('/models/providers', { body })).status).toBe(201);
  const { gatewayUrl } = runningStack();
  const missing = await runSdkProgram(program, {
    ...{ CLEW_URL: gatewayUrl, CLEW_API_KEY: project.apiKey },
    ...{ CLEW_MODEL: MODEL, CLEW_EMBEDDING_MODEL: 'loop/tiny-embedding' },
    OTEL_EXPORTER_OTLP_ENDPOINT: gatewayUrl,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${project.apiKey}`,
    ...{ OTEL_LOGS_EXPORTER: 'otlp', OTEL_METRICS_EXPORTER: 'none' },
  });
  if (missing === undefined) return { project };
  process.stderr.write(`SKIPPED: ${name} is not tried, ${missing}\n`);
  return { project, missing };
}

/** All conversations of a project, once there are `count` of them and all are ready. */
export async function conversationsOf(project: TestProject, count: number): Promise<Conversation[]> {
  const list = async () => {
    const { body } = await project.call<{ conversations: ConversationSummary[] }>('/conversations?limit=100');
    const found = body.conversations.map(({ state, preview, spanCount }) => ({ state, preview, spanCount }));
    if (found.length !== count || found.some(({ state }) => state !== 'ready')) throw new Error(JSON.stringify(found));
    return body.conversations;
  };
  const summaries = await eventually(list, { timeoutMs: READY_TIMEOUT_MS });
  return await Promise.all(summaries.map(({ id }) => project.readyConversation(id)));
}

interface Told {
  messages: { role: string; content: string }[];
  calls: { name: string; arguments: unknown }[];
  usage: { inputTokens: number; outputTokens: number };
}

const system = { role: 'system', content: 'Be brief.' };
const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const echo = (content: string) => [user(content), assistant(`You said: ${content}`)];

/** Tokens that the provider counts for these calls, each given by its messages and its answer. */
function usage(...calls: (readonly [asked: { role: string; content: string }[], answer: string])[]): Told['usage'] {
  const counted = calls.map(([messages, answer]) => usageOf({ messages }, answer));
  return {
    inputTokens: counted.reduce((sum, { prompt_tokens }) => sum + prompt_tokens, 0),
    outputTokens: counted.reduce((sum, { completion_tokens }) => sum + completion_tokens, 0),
  };
}

function oneTurn(question: string): Told {
  const [asked, answer] = [[system, user(question)], `You said: ${question}`];
  return { messages: [...asked, assistant(answer)], calls: [], usage: usage([asked, answer]) };
}

export const PLAIN = oneTurn('Plain: where is my parcel?');
export const STREAMED = oneTurn('Streamed: where is my parcel?');
const TOOLS: Told = {
  messages: [
    user('Tools: what is one and one?'),
    assistant(''),
    { role: 'tool', content: '{"sum":2}' },
    assistant('You said: Tools: what is one and one?'),
  ],
  calls: [{ name: 'add', arguments: { a: 1, b: 1 } }],
  usage: usage([[user('Tools: what is one and one?')], '']),
};
const [NAME, QUESTION] = ['Turns: my name is Ada.', 'Turns: what is my name?'];
export const TURNS: Told = {
  messages: [system, ...echo(NAME), ...echo(QUESTION)],
  calls: [],
  usage: usage(
    [[system, user(NAME)], `You said: ${NAME}`],
    [[system, ...echo(NAME), user(QUESTION)], `You said: ${QUESTION}`],
  ),
};

export function told({ messages, usage }: Conversation): Told {
  return {
    messages: messages.map(({ role, content }) => ({ role, content })),
    calls: messages.flatMap(({ toolCalls = [] }) =>
      toolCalls.map((call) => ({ name: call.name, arguments: call.arguments })),
    ),
    usage,
  };
}

export function withWords(conversations: readonly Conversation[], words: string): Conversation {
  const found = conversations.filter(({ messages }) => messages.some(({ content }) => content.startsWith(words)));
  expect(found).toHaveLength(1);
  return found[0] as Conversation;
}

/** Tests what programs with SDKs tell of their calls. */
export function testSdks(programs: Readonly<Record<string, SdkProgram>>): void {
  describe.each(Object.entries(programs))('what %s tells of calls through the endpoint', (name, program) => {
    let conversations: Conversation[] | undefined;

    beforeAll(async () => {
      const { project, missing } = await tried(name, program);
      if (missing === undefined) conversations = await conversationsOf(project, 5);
    }, INSTALL_TIMEOUT_MS);

    it('is one conversation for each chat, and none for a list of models or embeddings', () => {
      if (conversations === undefined) return;
      expect(conversations).toHaveLength(5);
      expect(conversations.filter(({ errorCount }) => errorCount > 0)).toHaveLength(1);
    });

    it.each([
      ['a chat', 'Plain:', PLAIN],
      ['a streamed chat', 'Streamed:', STREAMED],
      ['a chat of two turns', 'Turns:', TURNS],
    ])('has each message once, in order, and the tokens: %s', (_what, words, expected) => {
      if (conversations === undefined) return;
      expect(told(withWords(conversations, words))).toEqual(expected);
    });

    it('has the calls of tools, and their results', () => {
      if (conversations === undefined) return;
      const { messages, calls } = told(withWords(conversations, 'Tools:'));
      expect({ messages, calls }).toEqual({ messages: TOOLS.messages, calls: TOOLS.calls });
    });

    it('has the call that failed, with its error', () => {
      if (conversations === undefined) return;
      const { messages, errorCount } = withWords(conversations, 'Failed:');
      expect(messages.map(({ role, content }) => ({ role, content }))).toEqual([
        system,
        user('Failed: where is my parcel?'),
        assistant(''),
      ]);
      // Some instrumentations do not report failed calls: then the endpoint reports them.
      expect(messages.at(-1)?.error?.message).toMatch(/400|provider_refused/);
      expect(errorCount).toBe(1);
    });
  });
}
