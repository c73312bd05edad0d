import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Conversation, Finding } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { lastUserText, startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { createTestDataset, manualExample } from './support/datasets.ts';
import { makeFinding } from './support/findings.ts';
import { readRecipes, runRecipe, type Recipe, type RecipeResult } from './support/recipes.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const INSTALL_TIMEOUT_MS = 600_000;
const READY_TIMEOUT_MS = 30_000;
/** More than a page of the recipe. */
const DATASET_COUNT = 101;
const ANSWER = 'It is rainy, 14 degrees in Paris.';

const recipes = readRecipes();

/** Runs the recipe with this title for a project that `prepare` has filled. Undefined if its packages are missing. */
async function ran(
  { title, ...recipe }: Recipe,
  prepare: (project: TestProject) => Promise<void>,
): Promise<{ project: TestProject; result: RecipeResult } | undefined> {
  const project = await createTestProject(title);
  await prepare(project);
  const result = await runRecipe({ title, ...recipe }, project);
  if (typeof result !== 'string') return { project, result };
  process.stderr.write(`SKIPPED: "${title}" is not tried, ${result}\n`);
  return undefined;
}

/** The conversation that the last line of a recipe's output names. */
async function conversationNamed({ project, result }: { project: TestProject; result: RecipeResult }) {
  const id = result.output.trim().split(' ').at(-1) ?? '';
  return await project.readyConversation(id);
}

function wordsOf({ messages }: Conversation) {
  return messages.map(({ role, content }) => ({ role, content }));
}

function named(...words: string[]): Recipe[] {
  return recipes.filter(({ title }) => words.every((word) => title.includes(word)));
}

it('each recipe is tried', () => {
  const tried = [...named('httpx'), ...named('OpenTelemetry'), ...named('OpenAI client')];
  expect(new Set(tried).size).toBe(recipes.length);
  expect(recipes.map(({ language }) => language)).toEqual(['python', 'python', 'node', 'python', 'node']);
});

describe.each(named('httpx'))('$title', (recipe) => {
  it(
    'prints the Findings, has every Example of every Dataset in a file, and scores the conversation once',
    async () => {
      const prepared = { title: '', conversationId: '', datasetId: '' };
      const done = await ran(recipe, async (project) => {
        const { body: finding } = await project.call<Finding>(await makeFinding(project));
        const { path, dataset } = await createTestDataset(project);
        for (let made = 1; made < DATASET_COUNT; made++) await createTestDataset(project);
        const examples = { examples: [manualExample('one'), manualExample('two')] };
        expect((await project.call(`${path}/examples/batch`, { body: examples })).status).toBe(201);
        const { title, conversationId } = finding;
        Object.assign(prepared, { title, conversationId, datasetId: dataset.id });
      });
      if (done === undefined) return;
      const { project, result } = done;
      expect(result.output).toContain(`medium 1 ${prepared.title}`);
      expect(Object.keys(result.files)).toHaveLength(DATASET_COUNT);
      const lines = (result.files[`${prepared.datasetId}.jsonl`] ?? '').trimEnd().split('\n');
      const texts = lines.map((line) => (JSON.parse(line) as { payload: { input: { text: string } } }).payload.input);
      expect(texts.map(({ text }) => text).toSorted()).toEqual(['one', 'two']);
      await runRecipe(recipe, project);
      const scores = async () => (await project.readyConversation(prepared.conversationId)).scores;
      await eventually(async () => expect(await scores()).toMatchObject([{ name: 'reviewed', value: true }]), {
        timeoutMs: READY_TIMEOUT_MS,
      });
    },
    INSTALL_TIMEOUT_MS,
  );
});

describe.each(named('OpenTelemetry'))('$title', (recipe) => {
  it(
    'is a conversation with the question, the call of the tool and its result, and the answer',
    async () => {
      const done = await ran(recipe, () => Promise.resolve());
      if (done === undefined) return;
      const conversation = await conversationNamed(done);
      expect(wordsOf(conversation)).toEqual([
        { role: 'user', content: 'What is the weather in Paris?' },
        { role: 'assistant', content: '' },
        { role: 'tool', content: 'rainy, 14 degrees' },
        { role: 'assistant', content: ANSWER },
      ]);
      expect(conversation.messages[1]?.toolCalls).toMatchObject([
        { name: 'get_weather', arguments: { city: 'Paris' } },
      ]);
      expect(conversation).toMatchObject({ agents: ['weather-agent'], errorCount: 0 });
    },
    INSTALL_TIMEOUT_MS,
  );
});

describe.each(named('OpenAI client'))('$title', (recipe) => {
  let provider: ScriptedProvider;

  beforeAll(async () => {
    provider = await startProvider({
      apiKey: 'sk-provider',
      reply: (request) => ({ text: `You said: ${lastUserText(request)}` }),
    });
  });

  afterAll(() => provider.stop());

  it(
    'prints what the model streams, and the call is a conversation',
    async () => {
      const done = await ran(recipe, async (project) => {
        const body = { name: 'loop', baseUrl: provider.url, apiKey: 'sk-provider' };
        expect((await project.call('/models/providers', { body })).status).toBe(201);
        const settings = { method: 'PATCH', body: { defaultModel: 'loop/tiny-chat' } };
        expect((await project.call('/models/settings', settings)).status).toBe(200);
      });
      if (done === undefined) return;
      expect(done.result.output).toContain('You said: Where is my parcel?');
      expect(wordsOf(await conversationNamed(done))).toEqual([
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Where is my parcel?' },
        { role: 'assistant', content: 'You said: Where is my parcel?' },
      ]);
    },
    INSTALL_TIMEOUT_MS,
  );
});
