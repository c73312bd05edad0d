import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Finding } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { startLoopbackTracker, type LoopbackTracker } from '@clew/testing/issue-trackers';
import { locate, settled, type Hands, type Person } from '@clew/browser';
import { createTestProject, type TestProject } from '../support/test-project.ts';
import {
  HANDS,
  failureOf,
  JOURNEY_TIMEOUT_MS,
  noticeOf,
  tell,
  untilFound,
  visit,
} from '../support/workbench/journeys.ts';
import { useBrowser } from '../support/workbench/workbench.ts';
import { connect } from '../support/work-items.ts';

const { openOwner } = useBrowser();
const UNREVIEWED = 30;
const TOOLS = [
  ...['cancel', 'refund', 'ship', 'track', 'price', 'invoice', 'quote', 'block', 'greet', 'translate'],
  ...['summarise', 'book', 'rent', 'measure', 'weigh', 'paint', 'deliver', 'collect', 'store', 'label'],
  ...['wrap', 'count', 'sort', 'merge', 'split', 'print', 'scan', 'mail', 'call', 'record'],
];
let tracker: LoopbackTracker;

beforeAll(async () => {
  tracker = await startLoopbackTracker('github');
});
afterAll(() => tracker.stop());

async function unreviewedProject(name: string): Promise<TestProject> {
  const project = await createTestProject(name);
  for (const tool of TOOLS) await tell(project, failureOf(`${tool}_thing`));
  await untilFound(project, UNREVIEWED);
  await connect(project, tracker);
  return project;
}

/** Ids of the rows that are seen, from the links in them. */
async function shownTitles({ page }: Person): Promise<string[]> {
  return await page
    .locator('[role="grid"] a[href*="/findings/fnd_"]')
    .evaluateAll((links) =>
      links.map((link) => String((link as { getAttribute(name: string): string | null }).getAttribute('href'))),
    );
}

async function statuses(project: TestProject): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const finding of await project.findings()) {
    const state = stateOf(finding);
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

function stateOf({ reviewStatus, snooze, assignee }: Finding): string {
  if (snooze !== null) return 'snoozed';
  return assignee === null ? reviewStatus : 'assigned';
}

describe.each(HANDS)('triage %s', (name, handsOf) => {
  it(
    'confirms 3, dismisses 5 but the one that is handed over, snoozes 1, assigns 2, and takes the last back; the address shows others the same',
    async () => {
      const project = await unreviewedProject(`triage ${name}`);
      const person = await openOwner();
      const hands: Hands = handsOf(person.page);
      await visit(person, `/p/${project.id}/findings`);
      const change = async (places: readonly number[], button: RegExp, keys: string) => {
        await hands.selectRows(places);
        await hands.command({ role: 'button', name: button, within: { role: 'group', name: 'Change' } }, keys);
      };

      await change([0, 1, 2], /^Confirm/, 'c');
      await noticeOf(person, /3 .*confirmed/i).waitFor();
      await eventually(async () =>
        expect(await statuses(project)).toEqual({ confirmed: 3, unreviewed: UNREVIEWED - 3 }),
      );

      const handedOver = (await shownTitles(person))[0]?.split('/').at(-1) ?? '';
      const made = await project.call(`/diagnostics/findings/${handedOver}/work-items`, {
        body: { provider: 'github' },
      });
      expect(made.status).toBe(201);
      await change([0, 1, 2, 3, 4], /^Dismiss/, 'd');
      await noticeOf(person, /work item/i).waitFor();
      await eventually(async () =>
        expect(await statuses(project)).toEqual({ confirmed: 4, dismissed: 4, unreviewed: UNREVIEWED - 8 }),
      );

      await visit(person, `/p/${project.id}/findings`);
      await change([0], /^Snooze/, 'z');
      // An arrow before the list is there: its code comes with the first menu of the page.
      await hands.page.keyboard.press('ArrowDown');
      await hands.page.getByRole('menuitem').first().and(hands.page.locator(':focus')).waitFor();
      await hands.press({ role: 'menuitem', name: /week/i });
      await noticeOf(person, /snoozed/i).waitFor();
      await change([0, 1], /^Assign/, 'a');
      await hands.press({ role: 'menuitem', name: / me$/ });
      await noticeOf(person, /assigned/i).waitFor();
      await eventually(async () => expect(await statuses(project)).toMatchObject({ snoozed: 1, assigned: 2 }));

      await hands.page.keyboard.press('Escape');
      await hands.page.keyboard.press('u');
      await noticeOf(person, /^Undone/).waitFor();
      await eventually(async () =>
        expect(await statuses(project)).toMatchObject({ snoozed: 1, unreviewed: UNREVIEWED - 9 }),
      );

      await hands.press({ role: 'button', name: /^Severity/ });
      await hands.press({ role: 'menuitem', name: /^(Critical|High|Medium)/ });
      await hands.page.keyboard.press('Escape');
      await settled(person.page, person.watch);
      const colleague = await openOwner();
      await visit(colleague, person.page.url());
      expect(await shownTitles(colleague)).toEqual(await shownTitles(person));
      expect(await locate(colleague.page, { role: 'heading', name: 'Findings' }).isVisible()).toBe(true);
      expect([...person.watch.told(), ...colleague.watch.told()]).toEqual([]);
      await Promise.all([person.close(), colleague.close()]);
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'hands a Finding over; its issue is closed, clean conversations resolve it, and a later one shows it regressed on Home',
    async () => {
      const project = await createTestProject(`tracker ${name}`);
      await project.call('/diagnostics/settings', { method: 'PATCH', body: { requiredExposures: 2 } });
      await tell(project, failureOf('cancel_order'));
      await untilFound(project, 1);
      await connect(project, tracker);
      const [finding] = await project.findings();
      const person = await openOwner();
      const hands: Hands = handsOf(person.page);
      await visit(person, `/p/${project.id}/findings/${finding?.id}`);

      await hands.command({ role: 'button', name: /^Hand over/ }, 'w');
      await hands.press({ role: 'button', name: 'Make the issue' });
      await person.page.getByText('In step').waitFor();
      const issue = tracker.issues.at(-1);
      if (issue === undefined) throw new Error('There is no issue');
      tracker.put(issue, 'completed');
      await hands.command({ role: 'button', name: /^Synchronize/ }, 'w');
      await person.page
        .getByText(/awaiting verification/i)
        .first()
        .waitFor();

      for (const number of [1, 2]) await tell(project, repaired('cancel_order', number));
      await person.page
        .getByText(/^resolved$/i)
        .first()
        .waitFor();
      await tell(project, { ...failureOf('cancel_order'), conversationId: 'again' });
      await person.page
        .getByText(/^regressed$/i)
        .first()
        .waitFor();
      await hands.press({ role: 'link', name: /^Home/ });
      const regressed = { role: 'region', name: 'Regressed' } as const;
      await locate(person.page, {
        role: 'link',
        name: new RegExp(escaped(finding?.title ?? '')),
        within: regressed,
      }).waitFor();
      expect(person.watch.told()).toEqual([]);
      await person.close();
    },
    JOURNEY_TIMEOUT_MS,
  );
});

function escaped(text: string): string {
  return text.replaceAll(/[^\w ]/g, '.');
}

function repaired(tool: string, number: number) {
  const { messages, ...failed } = failureOf(tool);
  return {
    ...{ ...failed, conversationId: `repaired-${number}` },
    messages: messages.map((message) =>
      message.role === 'tool' ? { ...message, content: '{"status":"cancelled"}', isError: false } : message,
    ),
  };
}
