import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Finding, Rule } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { settled, type Hands, type Person, type Thing } from '@clew/browser';
import { unconfirmedConversation } from '../support/conversations.ts';
import { createTestProject, type TestProject } from '../support/test-project.ts';
import {
  HANDS,
  failureOf,
  focusIsKept,
  JOURNEY_TIMEOUT_MS,
  noticeOf,
  tell,
  visit,
} from '../support/workbench/journeys.ts';
import { useBrowser } from '../support/workbench/workbench.ts';

const { openOwner } = useBrowser();
const RULE = 'tool_error_unhandled';
const LONG = { timeoutMs: JOURNEY_TIMEOUT_MS };
const button = (name: string | RegExp): Thing => ({ role: 'button', name });
const projects = new Map<string, TestProject>();

beforeAll(async () => {
  for (const [name] of HANDS) projects.set(name, await toldProject(name));
}, JOURNEY_TIMEOUT_MS);

/** Project in which a conversation breaks what its prompt says, and another one shows what a Rule is told to leave out. */
async function toldProject(name: string): Promise<TestProject> {
  const project = await createTestProject(`expectations ${name}`);
  await project.call('/diagnostics/settings', { method: 'PATCH', body: { expectationActivation: 'manual' } });
  const body = { configuration: { minSignalScore: 1 } };
  await project.call(`/diagnostics/rules/${await ruleId(project)}`, { method: 'PATCH', body });
  await tell(project, unconfirmedConversation('order-17'));
  await tell(project, failureOf('ship_order'));
  await project.readyConversation('chat-ship_order');
  await eventually(async () => {
    const found = await project.call<{ expectations: unknown[] }>('/diagnostics/expectations?status=proposed');
    expect(found.body.expectations).toHaveLength(1);
  }, LONG);
  return project;
}

async function ruleId(project: TestProject): Promise<string> {
  const { body } = await project.call<{ rules: Rule[] }>('/diagnostics/rules?limit=100');
  return body.rules.find(({ ruleKey }) => ruleKey === RULE)?.ruleId ?? '';
}

async function ruleFindings(project: TestProject, ruleKey: string): Promise<Finding[]> {
  return (await project.findings()).filter(({ metadata }) => metadata.diagnosticRule.ruleKey === ruleKey);
}

async function tryAndActivate(person: Person, hands: Hands): Promise<void> {
  await hands.command(button(/^Try it/), 't');
  await person.page.getByText(/^1 of \d+ conversations break it/).waitFor();
  await hands.press(button('Show'));
  await person.page
    .getByRole('article')
    .filter({ hasText: 'It is broken here' })
    .getByText('cancel_order')
    .first()
    .waitFor();
  await hands.command(button(/^Activate/), 'a');
  await person.page.getByText('Nothing waits for you').waitFor();
}

/** Lowers what the Rule leaves out, and runs it over what was told before. */
async function lowerAndRun(person: Person, hands: Hands): Promise<void> {
  await hands.write({ role: 'spinbutton', name: 'Minimum signal score' }, '0.1');
  await hands.press(button('Save'));
  await noticeOf(person, /^Saved/).waitFor();
  await focusIsKept(person);
  await hands.press(button('Run over them'));
  await person.page.getByText('Completed', { exact: true }).waitFor();
  await focusIsKept(person);
}

describe.each(HANDS)('what is looked for, %s', (name, handsOf) => {
  it(
    'a proposed Expectation is tried on what was told, with the broken step in place; once it is active, the next conversation that breaks it shows a Finding',
    async () => {
      const project = projects.get(name)!;
      const person = await openOwner();
      const hands: Hands = handsOf(person.page);
      await visit(person, `/p/${project.id}/expectations`);
      await tryAndActivate(person, hands);
      await tell(project, unconfirmedConversation('order-18'));
      await eventually(async () => expect(await ruleFindings(project, 'expectation_broken')).toHaveLength(1), LONG);
      const [finding] = await ruleFindings(project, 'expectation_broken');
      await hands.press({ role: 'link', name: /^Findings/ });
      await person.page.locator(`[role="grid"] a[href*="${finding?.id}"]`).waitFor();
      expect(finding?.conversationId).toBe('order-18');
      expect(person.watch.told()).toEqual([]);
      await person.close();
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'a threshold that is lowered holds for earlier conversations once the Rule has run over them',
    async () => {
      const project = projects.get(name)!;
      expect(await ruleFindings(project, RULE)).toEqual([]);
      const person = await openOwner();
      const hands: Hands = handsOf(person.page);
      await visit(person, `/p/${project.id}/rules/${await ruleId(project)}`);
      await lowerAndRun(person, hands);
      await eventually(async () => expect(await ruleFindings(project, RULE)).toHaveLength(1), LONG);
      await hands.press({ role: 'link', name: 'its Findings' });
      await settled(person.page, person.watch);
      const [finding] = await ruleFindings(project, RULE);
      await person.page.locator(`[role="grid"] a[href*="${finding?.id}"]`).waitFor();
      expect(finding?.conversationId).toBe('chat-ship_order');
      expect(person.watch.told()).toEqual([]);
      await person.close();
    },
    JOURNEY_TIMEOUT_MS,
  );
});
