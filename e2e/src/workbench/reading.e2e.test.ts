import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ScriptedConversation, ScriptedMessage } from '@clew/testing';
import { rowAt, settled, type Hands, type Person } from '@clew/browser';
import { createTestProject, type TestProject } from '../support/test-project.ts';
import { HANDS, failureOf, JOURNEY_TIMEOUT_MS, tell, untilFound, visit } from '../support/workbench/journeys.ts';
import { useBrowser } from '../support/workbench/workbench.ts';

const { openOwner } = useBrowser();
const MESSAGES = 2_000;
const STEP = 1_500;
const LONG = 'long-talk';
let project: TestProject;

beforeAll(async () => {
  project = await createTestProject('reading');
  await tell(project, longTalk());
  await tell(project, failureOf('cancel_order'));
  await tell(project, { ...failureOf('cancel_order'), conversationId: 'chat-later' });
  await untilFound(project, 1);
  await project.readyConversation(LONG);
}, 240_000);

function longTalk(): ScriptedConversation {
  const messages = Array.from({ length: MESSAGES }, (_, at): ScriptedMessage =>
    at % 2 === 0
      ? { role: 'user', content: `Question ${at}: where is parcel ${at}?` }
      : {
          role: 'assistant',
          content: `Answer ${at}: parcel ${at - 1} is on its way to the marmalade depot.`,
          finishReason: 'stop',
        },
  );
  return { conversationId: LONG, agent: 'post', model: 'gpt-4o-mini', messages };
}

const marksOf = ({ page }: Person) => page.locator('article mark').allInnerTexts();
/** Text without white space, which a quote across lines is shown with differently. */
const bare = (text: string) => text.replaceAll(/\s+/g, '');

describe.each(HANDS)('reading %s', (_name, handsOf) => {
  it(
    'from a Finding to its cause: the marks are the quotes of the API, character for character; evidence and occurrences are walked',
    async () => {
      const finding = (await project.findings()).find(({ title }) => title.includes('reports success after an error'));
      const person = await openOwner();
      const hands: Hands = handsOf(person.page);
      await visit(person, `/p/${project.id}/findings`);
      const links = await person.page.locator('[role="grid"] a[href*="/findings/fnd_"]').all();
      const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
      await hands.openRow(addresses.findIndex((address) => address?.includes(finding?.id ?? '?') === true));
      await person.page.getByText(/Evidence \d+ of \d+/).waitFor();
      await settled(person.page, person.watch);
      const quotes = (finding?.evidence ?? []).flatMap(({ location }) => location.quotes.map(({ quote }) => quote));
      expect(quotes.length).toBeGreaterThan(0);
      const marks = (await marksOf(person)).map(bare).join('');
      for (const quote of quotes) expect(marks).toContain(bare(quote));
      expect(await person.page.locator('.ring-2').first().isVisible()).toBe(true);

      await hands.command({ role: 'button', name: /^Next/ }, 'n');
      await hands.command({ role: 'button', name: /^Previous/ }, 'p');
      const before = person.page.url();
      await person.page.keyboard.press('Shift+N');
      await person.page.waitForURL((address) => address.href !== before && address.search.includes('conversation='));
      await settled(person.page, person.watch);
      expect((await marksOf(person)).length).toBeGreaterThan(0);
      expect(person.watch.told()).toEqual([]);
      await person.close();
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'a conversation of 2,000 messages is searched for and opened at what was found; the link of a step opens at that step elsewhere',
    async () => {
      const person = await openOwner();
      const hands: Hands = handsOf(person.page);
      await visit(person, `/p/${project.id}/conversations`);
      await hands.command({ role: 'searchbox', name: /Filter|Search/ }, '/');
      await hands.write({ role: 'searchbox', name: /Filter|Search/ }, 'marmalade parcel');
      await person.page.waitForURL(/q=marmalade/);
      await settled(person.page, person.watch);
      await hands.openRow(0);
      await person.page.waitForURL(/conversations\/long-talk/);
      await settled(person.page, person.watch);
      expect(await person.page.locator('article').count()).toBeLessThan(100);
      // The words do not stand together, so the longer one is looked for.
      await person.page.getByText(`1 of ${(MESSAGES / 2).toLocaleString('en')}`).waitFor();
      expect(await person.page.locator('article [data-found]').innerText()).toBe('marmalade');
      expect(await person.page.locator('article [data-found]').isVisible()).toBe(true);

      await hands.press({ role: 'button', name: 'Steps' });
      await settled(person.page, person.watch);
      await person.page.getByRole('grid', { name: 'Steps' }).focus();
      await person.page.keyboard.press('End');
      await rowAt(person.page, MESSAGES - 1).waitFor();
      await person.page.keyboard.press('Enter');
      await person.page.locator(`#step-${MESSAGES - 1}`).waitFor();
      await visit(person, `${new URL(person.page.url()).pathname}?step=${STEP}`);
      await person.page.locator(`#step-${STEP}`).waitFor();
      await person.page.keyboard.press('y');
      await person.page.getByText('The link is copied').waitFor();
      const link = await person.page.evaluate<string>('navigator.clipboard.readText()');

      const elsewhere = await openOwner();
      await visit(elsewhere, link);
      const step = elsewhere.page.locator(`#step-${STEP}`);
      await step.waitFor();
      expect(await step.innerText()).toContain(`Question ${STEP}`);
      expect([...person.watch.told(), ...elsewhere.watch.told()]).toEqual([]);
      await Promise.all([person.close(), elsewhere.close()]);
    },
    JOURNEY_TIMEOUT_MS,
  );
});
