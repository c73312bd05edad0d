import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeItem } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { locate, type Hands, type Person, type Thing } from '@clew/browser';
import {
  extractionModel,
  importTaught,
  itemsOf,
  newGoal,
  requestBackfill,
  wordsOf,
} from '../support/knowledge-model.ts';
import { createTestProject, type TestProject } from '../support/test-project.ts';
import { HANDS, focusIsKept, JOURNEY_TIMEOUT_MS, noticeOf, untilReady, visit } from '../support/workbench/journeys.ts';
import { useBrowser } from '../support/workbench/workbench.ts';

const { openOwner } = useBrowser();
const ITEMS = 20;
const REVIEW_MS = 60_000;
const DECIDE: Thing = { role: 'group', name: 'Decide' };
const TITLE: Thing = { role: 'textbox', name: 'Title' };
let project: TestProject;
let provider: ScriptedProvider;

beforeAll(async () => {
  provider = await startProvider({ models: ['wise'], reply: extractionModel() });
  project = await createTestProject('review of Knowledge');
  await project.call('/models/providers', { body: { name: 'loop', baseUrl: provider.url } });
  const taught = Array.from({ length: ITEMS }, (_, at) => [`chat-${at}`, wordsOf(`item ${at}`)]);
  await importTaught(project, Object.fromEntries(taught) as Record<string, string>);
  await untilReady(project, ITEMS);
}, JOURNEY_TIMEOUT_MS);
afterAll(() => provider.stop());

/** Makes a Learning Goal of the test's own, for which as many items are learned as conversations were told. */
async function learnedGoal(): Promise<string> {
  const goalId = await newGoal(project);
  await requestBackfill(project, goalId, { startMs: 0, endMs: Date.now() + 86_400_000 });
  await eventually(async () => expect(await itemsOf(project, `&goalId=${goalId}`)).toHaveLength(ITEMS), {
    timeoutMs: JOURNEY_TIMEOUT_MS,
  });
  return goalId;
}

const button = (name: string): Thing => ({ role: 'button', name, within: DECIDE });
const untilPlace = ({ page }: Person, place: number) =>
  page.getByText(`${place} of ${ITEMS}`, { exact: true }).waitFor();
const decided = ({ page }: Person, count: number) => page.getByText(`${count} decided`, { exact: true }).waitFor();

async function itemOf(itemId: string): Promise<KnowledgeItem> {
  return (await project.call<KnowledgeItem>(`/knowledge/items/${itemId}`)).body;
}

/** Changes the title of the item that is open, and leaves the form open. */
async function rewrite(hands: Hands, title: string): Promise<void> {
  await hands.command(button('Edit'), 'e');
  await hands.write(TITLE, title);
}

const save = (hands: Hands) => hands.command({ role: 'button', name: 'Save' }, 'Control+Enter');

/** Has a colleague write while the person's draft is not saved, and goes on with the draft. */
async function meetColleague(person: Person, hands: Hands, itemId: string, words: string): Promise<void> {
  const path = `/knowledge/items/${itemId}`;
  expect((await project.call(path, { method: 'PATCH', body: { content: words } })).status).toBe(200);
  await save(hands);
  const told = person.page.getByRole('alert').filter({ hasText: 'Somebody else has changed the item meanwhile' });
  await told.waitFor();
  expect(await told.innerText()).toContain(words);
  await hands.press({ role: 'button', name: 'Go on with my draft' });
  await focusIsKept(person);
}

describe.each(HANDS)('a review of Knowledge %s', (_name, handsOf) => {
  it(
    `decides on ${ITEMS} items in less than a minute: accepts, edits, archives, skips and takes back; a colleague’s change in the middle of an edit is shown, and both changes last`,
    async () => {
      const goalId = await learnedGoal();
      const ids = (await itemsOf(project, `&goalId=${goalId}&reviewed=false`)).map(({ id }) => id);
      const itemAt = (at: number) => itemOf(ids[at] ?? '');
      const person = await openOwner();
      const hands: Hands = handsOf(person.page);
      await visit(person, `/p/${project.id}/knowledge?goal=${goalId}`);
      await untilPlace(person, 1);
      const startMs = Date.now();

      await hands.command(button('Accept'), 'a');
      await untilPlace(person, 2);
      await rewrite(hands, 'Hours of the shop');
      await save(hands);
      await untilPlace(person, 3);
      await focusIsKept(person);
      await hands.command(button('Archive'), 'Backspace');
      await untilPlace(person, 4);
      await hands.command(button('Skip'), 's');
      await untilPlace(person, 5);
      await decided(person, 3);

      await rewrite(hands, 'My own title');
      await meetColleague(person, hands, ids[4] ?? '', 'The words of a colleague');
      expect(await locate(person.page, TITLE).inputValue()).toBe('My own title');
      await save(hands);
      await untilPlace(person, 6);
      expect(await itemAt(4)).toMatchObject({ title: 'My own title', content: 'The words of a colleague' });

      for (let place = 6; place < ITEMS; place += 1) {
        await hands.command(button('Accept'), 'a');
        await untilPlace(person, place + 1);
      }
      const last = () => itemAt(ITEMS - 1);
      await hands.command(button('Archive'), 'Backspace');
      await decided(person, ITEMS - 1);
      await eventually(async () => expect((await last()).status).toBe('archived'));
      await hands.command(button('Undo'), 'u');
      await noticeOf(person, /^Undone/).waitFor();
      await decided(person, ITEMS - 2);
      expect((await last()).status).toBe('active');
      expect(Date.now() - startMs).toBeLessThan(REVIEW_MS);

      const left = await itemsOf(project, `&goalId=${goalId}&status=active&reviewed=false`);
      expect(left.map(({ id }) => ids.indexOf(id))).toEqual([3]);
      expect([(await itemAt(1)).title, (await itemAt(2)).status]).toEqual(['Hours of the shop', 'archived']);
      expect(person.watch.told()).toEqual([]);
      await person.close();
    },
    JOURNEY_TIMEOUT_MS,
  );
});
