import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { type Hands, type Person, type Thing } from '@clew/browser';
import { tell, untilDecided } from '../support/collection.ts';
import { cancelledOrder } from '../support/conversations.ts';
import { allExamples, createTestDataset, type TestDataset } from '../support/datasets.ts';
import { runningStack } from '../support/stack.ts';
import { createTestProject, type TestProject } from '../support/test-project.ts';
import { HANDS, focusIsKept, JOURNEY_TIMEOUT_MS, noticeOf, visit } from '../support/workbench/journeys.ts';
import { useBrowser } from '../support/workbench/workbench.ts';

const { openOwner } = useBrowser();
const ANSWER = 'Order 12 is cancelled, and the money is on its way.';
const button = (name: string | RegExp): Thing => ({ role: 'button', name });

/** Export of the API, byte for byte. */
async function exported({ id, apiKey }: TestProject, { path }: TestDataset): Promise<string> {
  const url = new URL(`/v1/projects/${id}${path}/export?format=jsonl`, runningStack().gatewayUrl);
  return await (await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } })).text();
}

/** Has the Dataset keep what went well, after a look at what it would take. */
async function beginToCollect(person: Person, hands: Hands): Promise<void> {
  const save = async () => {
    await hands.press(button('Save'));
    await noticeOf(person, /The collection is saved/).waitFor();
  };
  await hands.tick({ role: 'radio', name: /^Keep what went well/ });
  await hands.tick({ role: 'checkbox', name: 'Switched on' });
  await save();
  await hands.press(button(/^Look at the last 100/));
  await person.page.getByText('Of the latest 1 conversation: 1 would be taken.').waitFor();
  await focusIsKept(person);
  await hands.tick({ role: 'checkbox', name: 'Switched on' });
  await save();
}

/** Opens the only Example, and gives it another answer. */
async function editExample(person: Person, hands: Hands): Promise<void> {
  await hands.openRow(0);
  const expected: Thing = { role: 'region', name: 'Expected' };
  await hands.write({ role: 'textbox', name: 'Words of the expected message', within: expected }, ANSWER);
  await hands.command(button('Save'), 'Control+Enter');
  await noticeOf(person, /^Saved/).waitFor();
}

describe.each(HANDS)('collection %s', (name, handsOf) => {
  it(
    'shows what a Dataset would collect, which then comes by itself once it is switched on; an edited Example differs between two versions in the words that were changed, and the export is that of the API, byte for byte',
    async () => {
      const project = await createTestProject(`collects ${name}`);
      await tell(project, cancelledOrder('12'));
      const earlier = await createTestDataset(project, { collectionObjective: 'preserve_successful_behavior' });
      await untilDecided(project, earlier, '12', 'collected');
      const dataset = await createTestDataset(project);
      const person = await openOwner();
      const hands: Hands = handsOf(person.page);
      await visit(person, `/p/${project.id}${dataset.path}?tab=collection`);

      await beginToCollect(person, hands);
      await eventually(async () => expect(await allExamples(project, dataset.path)).toHaveLength(1), {
        timeoutMs: JOURNEY_TIMEOUT_MS,
      });
      await hands.press(button('Examples'));
      await editExample(person, hands);

      await hands.press({ role: 'link', name: 'To the Dataset' });
      await hands.press(button('Versions'));
      await hands.press({ role: 'link', name: 'Compare with version 1' });
      await person.page.getByText('0 added, 1 changed, 0 removed').waitFor();
      const added = async () => (await person.page.locator('ins').allInnerTexts()).join('');
      await eventually(async () => expect(await added()).toContain('and the money is on its way'));

      await hands.press(button('Export'));
      await person.page.getByText('The file holds 1 Example.').waitFor();
      const download = person.page.waitForEvent('download');
      await hands.press({ role: 'link', name: 'Download' });
      const bytes = await text(await (await download).createReadStream());
      expect(bytes).toContain(ANSWER);
      expect(bytes).toBe(await exported(project, dataset));
      expect(person.watch.told()).toEqual([]);
      await person.close();
    },
    JOURNEY_TIMEOUT_MS,
  );
});
