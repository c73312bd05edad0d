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
