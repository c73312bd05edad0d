import { beforeAll, describe, expect, it } from '@jest/globals';
import { settled, type Hands, type Person, type Thing } from '@clew/browser';
import { createTestDataset } from '../support/datasets.ts';
import { modelRuntimeOf, whyNoPackageRegistry } from '../support/model-runtime.ts';
import { createTestProject, type TestProject } from '../support/test-project.ts';
import { HANDS, noticeOf, visit } from '../support/workbench/journeys.ts';
import { useBrowser } from '../support/workbench/workbench.ts';

const MINUTE_MS = 60_000;
const MODEL = 'smollm2-135m-instruct';
const ENGINE = 'llama.cpp';
const { openOwner } = useBrowser();
let missing: string | undefined;

beforeAll(async () => {
  missing = await whyNoPackageRegistry();
}, 2 * MINUTE_MS);

const button = (name: string | RegExp): Thing => ({ role: 'button', name });

/** Searches the catalog, opens what is found, and lets it be made ready: engine, download and service. */
async function makeReady(person: Person, hands: Hands, project: TestProject): Promise<void> {
  const { page } = person;
  await visit(person, `/p/${project.id}/models`);
  await hands.write({ role: 'searchbox', name: 'Filter by name or tag' }, 'smollm2-135m');
  await page.locator('[aria-rowcount="2"]').waitFor();
  await settled(page, person.watch);
  await hands.openRow(0);
  await hands.press(button('Install, download and start'));
  await page.getByRole('progressbar', { name: 'Made ready' }).waitFor();
  await page.reload();
  await page.getByText('It runs, and answers').waitFor({ timeout: 8 * MINUTE_MS });
}

/** Says something, and waits for all of the answer. */
async function ask({ page }: Person, hands: Hands, text: string): Promise<void> {
  await hands.write({ role: 'textbox', name: 'Message' }, text);
  await hands.press(button('Send'));
  await page
    .getByRole('button', { name: /^Save as Example/ })
    .last()
    .waitFor({ timeout: 2 * MINUTE_MS });
}

/** Leaves nothing behind, so that the next hands begin with nothing, too. */
async function removed(project: TestProject): Promise<void> {
  const runtime = modelRuntimeOf(project);
  await project.call(`/models/${MODEL}/profiles/${await runtime.profileOf(MODEL)}`, { method: 'DELETE' });
  await project.call(`/models/engines/${ENGINE}`, { method: 'DELETE' });
  await runtime.untilEngine(ENGINE, 'not_installed', MINUTE_MS);
}

describe.each(HANDS)('a local model %s', (name, handsOf) => {
  it(
    'is found, made ready by one button across a reload, answers in a chat, gives an Example, and is stopped',
    async () => {
      if (missing !== undefined) return void process.stderr.write(`SKIPPED: real engines are not tried, ${missing}\n`);
      const project = await createTestProject(`local model ${name}`);
      const { path } = await createTestDataset(project);
      const person = await openOwner();
      const hands: Hands = handsOf(person.page);
      await makeReady(person, hands, project);
      await hands.press({ role: 'link', name: 'Chat with it' });
      await settled(person.page, person.watch);
      await ask(person, hands, 'What is the capital of France? Answer briefly.');
      await hands.press(button(/^Save as Example/));
      await hands.press({ ...button('Save'), within: { role: 'dialog', name: 'Save as Example' } });
      await noticeOf(person, /Saved as an Example/).waitFor();
      const { body } = await project.call<{ examples: unknown[] }>(`${path}/examples`);
      // Knowledge is not asked of so small a model, only that it says something.
      expect(body.examples).toMatchObject([
        {
          payload: {
            input: { messages: [{ role: 'user', content: 'What is the capital of France? Answer briefly.' }] },
            expectedOutput: { message: { content: expect.stringMatching(/\w/) } },
          },
        },
      ]);
      await visit(person, `/p/${project.id}/models/${MODEL}`);
      await hands.press(button('Stop'));
      await person.page.getByText('It is here, and does not run').waitFor({ timeout: MINUTE_MS });
      expect(person.watch.told()).toEqual([]);
      await person.close();
      await removed(project);
    },
    15 * MINUTE_MS,
  );
});
