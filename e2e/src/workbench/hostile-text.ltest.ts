import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addressOf, keyboard, SCREENS, settled, type Person } from '@clew/browser';
import { HOSTILE_SIZES } from '../support/workbench/hostile-words.ts';
import { hostileProject, type HostileProject } from '../support/workbench/hostile-project.ts';
import { useBrowser } from '../support/workbench/workbench.ts';

const { openOwner } = useBrowser();
let project: HostileProject;
let person: Person;

beforeAll(async () => {
  project = await hostileProject();
}, 120_000);
beforeEach(async () => {
  person = await openOwner();
});
afterEach(() => person.close());

async function open(address: string): Promise<void> {
  await person.go(address);
  await settled(person.page, person.watch);
}

describe('words of strangers stay text: no request elsewhere, no dialog, no report of the policy', () => {
  it('on every screen', async () => {
    const alive: string[] = [];
    for (const screen of SCREENS) {
      await open(addressOf(screen, project.id, project.scene));
      const made = person.page.locator('img, iframe, object, embed, form[action*="far."], base:not(head > base)');
      if ((await made.count()) > 0 || !(await person.page.title()).includes('Clew')) alive.push(screen.name);
    }
    expect(alive).toEqual([]);
    expect(person.watch.told()).toEqual([]);
  }, 240_000);

  it.each(['words', ...Object.keys(HOSTILE_SIZES)])('a conversation of %s', async (name) => {
    const conversation = project.conversationIds[name] ?? '';
    for (const screen of SCREENS.filter(({ path }) => path.includes(':conversation')))
      await open(addressOf(screen, project.id, { conversation }));
    expect(person.watch.told()).toEqual([]);
  });

  it('as Markdown, where links say whereto and nothing is loaded', async () => {
    const screen = SCREENS.find(({ path }) => path.endsWith(':conversation'));
    await open(
      addressOf(screen ?? { path: '' }, project.id, { conversation: project.conversationIds['paragraphs'] ?? '' }),
    );
    await person.page.getByRole('button', { name: 'Markdown', exact: true }).click();
    const links = person.page.locator('article a[href*="far.example"]');
    // The first one may stand in a prompt that is folded.
    await links.first().waitFor({ state: 'attached' });
    await settled(person.page, person.watch);
    const rels = await links.evaluateAll((all) => all.map((each) => each.getAttribute('rel')));
    expect(new Set(rels)).toEqual(new Set(['noopener noreferrer nofollow']));
    expect(await person.page.locator('article a:not([href^="http"])').count()).toBe(0);
    expect(await person.page.locator('article').locator('img, iframe, form, svg image').count()).toBe(0);
    expect(await person.page.locator('article .hidden-character').count()).toBeGreaterThan(0);
    expect(person.watch.told()).toEqual([]);
  });

  it('the search palette and its results', async () => {
    await open(addressOf({ path: 'conversations' }, project.id));
    const hands = keyboard(person.page);
    await hands.command({ role: 'heading', name: 'Conversations' }, 'ControlOrMeta+k');
    await hands.write({ role: 'searchbox', name: 'Search' }, 'script');
    await settled(person.page, person.watch);
    await person.page.getByRole('menuitem').first().waitFor();
    expect(person.watch.told()).toEqual([]);
  });
});
