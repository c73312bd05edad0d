import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  addressOf,
  failRequests,
  FAULT_MESSAGE,
  FAULT_REQUEST_ID,
  FAULTS,
  operationOf,
  SCREENS,
  settled,
  type Fault,
  type Person,
  type Screen,
} from '@clew/browser';
import { filledProject, useBrowser, type FilledProject } from '../support/workbench/workbench.ts';

const { openOwner } = useBrowser();
/** Words of errors that show no answer, and so have no id to quote. */
const NO_ANSWER = /cannot be reached|Clew has more to do|could not be read/;
/** Operation whose 404 is a state and no failure, and the words of that state. */
const DIAGNOSIS = /^GET .*\/diagnostics\/conversations\/[^/]+$/;
const NOT_YET = /has not been diagnosed yet/;
/** Time for which a page may try again by itself before it says what failed; nothing is under way in the pauses. */
const TOLD_TIMEOUT_MS = 30_000;
const LOOK_MS = 100;
const FAILURES_TIMEOUT_MS = 600_000;
/** Parts of one page read the same. */
const PAGES = SCREENS.filter(({ path }) => !path.includes('?'));
let project: FilledProject;

beforeAll(async () => {
  project = await filledProject('failures');
}, 240_000);

/** Opens the screen; resolves with what it asked for. */
async function visit(person: Person, screen: Screen): Promise<Set<string>> {
  const asked = new Set<string>();
  person.page.on('request', (request) => {
    const operation = operationOf(request);
    if (operation !== undefined) asked.add(operation);
  });
  await person.go(addressOf(screen, project.id, project.scene));
  await settled(person.page, person.watch);
  return asked;
}

async function visitFailing(
  screen: Screen,
  fault: Fault,
  isFailing: (operation: string) => boolean,
  isDiagnosisGone = false,
): Promise<string[]> {
  const person = await openOwner();
  try {
    await failRequests(person.context, fault, (request) => isFailing(operationOf(request) ?? ''));
    if (fault === 401) return await leadsToSignIn(person, screen);
    await visit(person, screen);
    const isToldHere = (shown: string) => isTold(shown, fault) || (isDiagnosisGone && NOT_YET.test(shown));
    const text = await textOnceTold(person, isToldHere);
    return [
      ...(text.trim() === '' ? ['the page is blank'] : []),
      ...(isToldHere(text) ? [] : [`no message or no request id: ${text.slice(0, 400)}`]),
      ...person.watch.told({ withFailedAnswers: false }),
    ];
  } finally {
    await person.close();
  }
}

async function leadsToSignIn(person: Person, screen: Screen): Promise<string[]> {
  await person.go(addressOf(screen, project.id, project.scene));
  await person.page.waitForURL(/\/sign-in\?/);
  expect(decodeURIComponent(person.page.url())).toContain(`/p/${project.id}`);
  return person.watch.told({ withFailedAnswers: false });
}

/** Text of the page once it says what failed, or as it is at the end of the time for that. */
async function textOnceTold({ page }: Person, isToldIn: (text: string) => boolean): Promise<string> {
  const endMs = Date.now() + TOLD_TIMEOUT_MS;
  for (;;) {
    const text = await page.locator('body').innerText();
    if (isToldIn(text) || Date.now() > endMs) return text;
    await page.waitForTimeout(LOOK_MS);
  }
}

function isTold(text: string, fault: Fault): boolean {
  if (fault === 'cut') return NO_ANSWER.test(text);
  const isExplained = text.includes(FAULT_MESSAGE) || /You may not see this|Not found|Not available/.test(text);
  return isExplained && text.includes(FAULT_REQUEST_ID);
}

describe('a page says what failed, and what to quote', () => {
  it.each(PAGES.map((screen) => [screen.name, screen] as const))(
    '%s',
    async (_name, screen) => {
      const person = await openOwner();
      const operations = [...(await visit(person, screen))];
      await person.close();
      expect(operations.length).toBeGreaterThan(0);
      const told: Record<string, string[]> = {};
      for (const operation of operations) {
        for (const fault of FAULTS) {
          const isDiagnosisGone = fault === 404 && DIAGNOSIS.test(operation);
          const isFailing = (each: string) => each === operation;
          told[`${operation} ${fault}`] = await visitFailing(screen, fault, isFailing, isDiagnosisGone);
        }
      }
      for (const fault of FAULTS) told[`all ${fault}`] = await visitFailing(screen, fault, (each) => each !== '');
      expect(Object.fromEntries(Object.entries(told).filter(([, lines]) => lines.length > 0))).toEqual({});
    },
    FAILURES_TIMEOUT_MS,
  );
});
