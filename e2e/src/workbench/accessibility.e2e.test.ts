import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  addressOf,
  AUDIT_SCHEMES,
  auditPage,
  failRequests,
  operationOf,
  SCREENS,
  settled,
  type Person,
  type Screen,
} from '@clew/browser';
import { createTestProject, type TestProject } from '../support/test-project.ts';
import { openedThings } from '../support/workbench/opened-things.ts';
import { filledProject, useBrowser, type FilledProject } from '../support/workbench/workbench.ts';

const { openOwner } = useBrowser();
/** With all: every state of every screen in both schemes. Else each screen with data, and some of them in each state. */
const IS_WHOLE = process.env['CLEW_WORKBENCH'] === 'whole';
const SCHEMES = IS_WHOLE ? AUDIT_SCHEMES : (['light'] as const);
const UNUSUAL_SCHEMES = IS_WHOLE ? AUDIT_SCHEMES : (['dark'] as const);
const SOME = ['findings'];
const AUDIT_TIMEOUT_MS = 300_000;
let filled: FilledProject;
let empty: TestProject;

beforeAll(async () => {
  [filled, empty] = await Promise.all([filledProject('accessible'), createTestProject('accessible and empty')]);
}, 240_000);

const EACH = SCREENS.map((screen) => [screen.name, screen] as const);
/** Path of a screen without what is asked for in the search: parts of one page are empty and broken alike. */
const PAGES = EACH.filter(([name, { path }]) => (IS_WHOLE ? !path.includes('?') : SOME.includes(name)));

async function inScheme(colorScheme: 'light' | 'dark', use: (person: Person) => Promise<string[]>): Promise<string[]> {
  const person = await openOwner({ colorScheme });
  try {
    return [...(await use(person)), ...person.watch.told({ withFailedAnswers: false })];
  } finally {
    await person.close();
  }
}

async function audited(person: Person, name: string, address: string): Promise<string[]> {
  await person.go(address);
  await settled(person.page, person.watch);
  return [...(await auditPage(person.page, { name })), ...(await misplaced(person))];
}

/** Says so where the page itself can be scrolled: its parts scroll, and its frame stays. */
async function misplaced({ page }: Person): Promise<string[]> {
  const isFramed = await page.evaluate<boolean>(
    'document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth',
  );
  return isFramed ? [] : ['the frame of the page scrolls'];
}

const filledAddress = (screen: Screen) => addressOf(screen, filled.id, filled.scene);

describe('no violation of WCAG 2.2 AA or of best practice', () => {
  it.each(SCHEMES)(
    'on any screen with data, %s',
    async (scheme) => {
      const told = await inScheme(scheme, async (person) => {
        const violations: string[] = [];
        for (const screen of SCREENS) violations.push(...(await audited(person, screen.name, filledAddress(screen))));
        return violations;
      });
      expect(told).toEqual([]);
    },
    AUDIT_TIMEOUT_MS,
  );

  describe.each(UNUSUAL_SCHEMES)('%s', (scheme) => {
    it.each(PAGES)('%s of a project that holds nothing', async (name, screen) => {
      expect(await inScheme(scheme, (person) => audited(person, name, addressOf(screen, empty.id)))).toEqual([]);
    });

    it.each(PAGES)('%s when all of it fails', async (name, screen) => {
      const told = await inScheme(scheme, async (person) => {
        await failRequests(person.context, 500, (request) => operationOf(request)?.includes('/v1/projects/') === true);
        return await audited(person, name, filledAddress(screen));
      });
      expect(told).toEqual([]);
    });

    it.each(PAGES)(
      '%s with each dialog and menu open',
      async (name, screen) => {
        const told = await inScheme(scheme, async (person) => {
          await person.go(filledAddress(screen));
          await settled(person.page, person.watch);
          const violations: string[] = [];
          for await (const opened of openedThings(person))
            violations.push(...(await auditPage(person.page, { name: `${name}, ${opened}` })));
          return violations;
        });
        expect(told).toEqual([]);
      },
      AUDIT_TIMEOUT_MS,
    );
  });
});

/** Sizes of a narrow telephone, and of a window of 1280 by 720 at a zoom of 200 %. */
const SMALL = [
  { width: 360, height: 720 },
  { width: 640, height: 360 },
];
/** Screens whose heads have the most to show, and one of each kind of layout. */
const TIGHT = ['finding', 'conversation', 'settings-privacy'];

it.each(SMALL)(
  'loses no control of a page of $width by $height: what does not fit wraps or scrolls',
  async (viewport) => {
    const person = await openOwner({ viewport });
    const lost: string[] = [];
    for (const screen of SCREENS.filter(({ name }) => IS_WHOLE || TIGHT.includes(name))) {
      await person.go(filledAddress(screen));
      await settled(person.page, person.watch);
      const out = await person.page.evaluate<string[]>(OUT_OF_REACH);
      lost.push(...[...out, ...(await misplaced(person))].map((each) => `${screen.name}: ${each}`));
    }
    await person.close();
    expect(lost).toEqual([]);
  },
  AUDIT_TIMEOUT_MS,
);

/** Names of the controls that are beside the window, and cannot be scrolled into it. */
const OUT_OF_REACH = `(() => {
  const ancestors = (element) => element === null ? [] : [element, ...ancestors(element.parentElement)];
  const scrolls = (element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth;
  return [...document.querySelectorAll('button, a[href], input, select, textarea, [role="tab"]')]
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 1 && (left < -1 || right > innerWidth + 1) && !ancestors(element).some(scrolls);
    })
    .map((element) => element.getAttribute('aria-label') ?? element.textContent);
})()`;
