import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeBackfill } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { settled, type Hands, type Thing } from '@clew/browser';
import { extractionModel, importTaught, itemsOf, wordsOf } from '../support/knowledge-model.ts';
import { createTestProject, type TestProject } from '../support/test-project.ts';
import { HANDS, focusIsKept, JOURNEY_TIMEOUT_MS, untilReady, visit } from '../support/workbench/journeys.ts';
import { useBrowser } from '../support/workbench/workbench.ts';

const { openOwner } = useBrowser();
const CONVERSATIONS = 6;
/** Conversations that the model reads at once; for the others it takes until the backfill is cancelled. */
const QUICK = 2;
let provider: ScriptedProvider;
let asked = 0;
let held = Promise.withResolvers<void>();

beforeAll(async () => {
  const reply = extractionModel(undefined, async () => {
    asked += 1;
    if (asked > QUICK) await held.promise;
    return {};
  });
  provider = await startProvider({ models: ['wise'], reply });
});
afterAll(async () => {
  held.resolve();
  await provider.stop();
});

async function taughtProject(name: string): Promise<TestProject> {
  const project = await createTestProject(name);
  const taught = Array.from({ length: CONVERSATIONS }, (_, at) => [`chat-${at}`, wordsOf(`${name} ${at}`)]);
  await importTaught(project, Object.fromEntries(taught) as Record<string, string>);
  await untilReady(project, CONVERSATIONS);
  asked = 0;
  held = Promise.withResolvers<void>();
  return project;
}

const button = (name: string): Thing => ({ role: 'button', name });
const link = (name: string | RegExp): Thing => ({ role: 'link', name });
const field = (name: string): Thing => ({ role: 'textbox', name });

async function makeGoal(hands: Hands): Promise<void> {
  await hands.press(button('New Learning Goal'));
  await hands.write(field('Name'), 'Deliveries');
  await hands.write(field('What is to be learned'), 'Learn what customers are promised');
  await hands.choose({ role: 'combobox', name: 'Model that reads the conversations' }, /^Another one/);
  await hands.write(field('Name of the model'), 'loop/wise');
  await hands.press(button('Create'));
}

async function addProvider(hands: Hands): Promise<void> {
  const within: Thing = { role: 'dialog', name: 'Add a provider' };
  await hands.press(button('Add a provider'));
  await hands.write({ ...field('Name'), within }, 'loop');
  await hands.write({ ...field('Address'), within }, provider.url);
  await hands.press({ ...button('Save'), within });
}

describe.each(HANDS)('learning %s', (name, handsOf) => {
  it(
    'a Learning Goal whose model has no provider is refused with the reason, and made as it was written once one is added; its backfill shows how far it is, ends when it is cancelled, and what it has learned stays',
    async () => {
      const project = await taughtProject(`learning ${name}`);
      const person = await openOwner();
      const hands: Hands = handsOf(person.page);
      await visit(person, `/p/${project.id}/knowledge/goals`);
      await makeGoal(hands);
      await person.page.getByText(/is not available: the project has no such provider/).waitFor();
      await addProvider(hands);
      await person.page.getByRole('dialog', { name: 'Add a provider' }).waitFor({ state: 'detached' });
      await focusIsKept(person);
      await hands.press(button('Create'));
      await person.page.getByRole('heading', { name: 'Deliveries' }).waitFor();
      await person.page.getByText('Available', { exact: true }).waitFor();

      await hands.press(button('Learn from earlier conversations'));
      await person.page.getByText(`${CONVERSATIONS} conversations that have ended`).waitFor();
      await hands.press(button('Begin'));
      await person.page.getByText(`${QUICK} conversations read, ${CONVERSATIONS - QUICK} waiting`).waitFor();
      await person.page.getByRole('progressbar', { name: 'Conversations read' }).waitFor();
      await hands.press(button('Cancel'));
      await hands.press(button('Cancel it'));
      await person.page.getByText('Cancelled', { exact: true }).waitFor();
      await focusIsKept(person);
      held.resolve();

      await eventually(async () => {
        const { body } = await project.call<{ backfills: KnowledgeBackfill[] }>('/knowledge/backfills');
        expect(body.backfills).toMatchObject([{ state: 'cancelled' }]);
      });
      const learned = await itemsOf(project);
      expect(learned.length).toBeGreaterThanOrEqual(QUICK);
      expect(learned.length).toBeLessThan(CONVERSATIONS);
      await hands.press(link(/active items$/));
      await settled(person.page, person.watch);
      await person.page
        .getByRole('grid', { name: 'Knowledge items' })
        .getByText(learned[0]?.title ?? '')
        .waitFor();
      expect(person.watch.told({ withFailedAnswers: false })).toEqual([]);
      await person.close();
    },
    JOURNEY_TIMEOUT_MS,
  );
});
