import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Connector, Finding, WorkItem } from '@clew/contracts';
import { encodeConversation, eventually, toOtlpJson, type ScriptedConversation } from '@clew/testing';
import { startLoopbackTracker, type HostedIssue, type LoopbackTracker } from '@clew/testing/issue-trackers';
import { callApi } from './support/api.ts';
import { failingToolConversation } from './support/conversations.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const PATIENCE = { timeoutMs: 45_000 };
const REQUIRED = 2;

let tracker: LoopbackTracker;

beforeAll(async () => {
  tracker = await startLoopbackTracker('github');
});
afterAll(() => tracker.stop());

interface HandedOver {
  project: TestProject;
  path: string;
  issue: HostedIssue;
  read(): Promise<Finding>;
  /** Asks for the state of the issue. */
  sync(): Promise<Finding>;
}

/** The same request, after the repair: the tool answers, and so does the agent. */
function repairedConversation(conversationId: string): ScriptedConversation {
  const failing = failingToolConversation(conversationId);
  return {
    ...failing,
    messages: failing.messages.map((message) =>
      message.role === 'tool'
        ? { role: 'tool', toolCallId: 'call_1', name: 'cancel_order', content: '{"status":"cancelled"}' }
        : message,
    ),
  };
}

async function tell({ apiKey }: TestProject, script: ScriptedConversation): Promise<void> {
  const told = encodeConversation(script, { dialect: 'genai', startMs: Date.now(), idSeed: script.conversationId });
  expect((await callApi(apiKey, '/v1/traces', { body: toOtlpJson(told) })).status).toBe(200);
}

/** A Finding whose repair was handed over to the loopback provider. */
async function handedOver(name: string): Promise<HandedOver> {
  const project = await createTestProject(name);
  const settings = { requiredExposures: REQUIRED, reopenOnRegression: true };
  const patched = await project.call('/diagnostics/settings', { method: 'PATCH', body: settings });
  expect(patched).toMatchObject({ status: 200, body: { settings } });
  await tell(project, failingToolConversation(`${name} before`));
  const finding = await eventually(async () => {
    const found = await project.findings();
    const own = found.find(({ metadata }) => metadata.diagnosticRule.ruleKey === 'tool_error_unhandled');
    if (own === undefined) throw new Error('nothing was found yet');
    return own;
  }, PATIENCE);
  const { provider, baseUrl, credentials, destination: defaultDestination } = tracker;
  const body = { provider, baseUrl, credentials, defaultDestination };
  const connected = await project.call<Connector>('/diagnostics/connectors', { method: 'POST', body });
  expect(connected.status).toBe(201);
  const path = `/diagnostics/findings/${finding.id}`;
  const made = await project.call<WorkItem>(`${path}/work-items`, { method: 'POST', body: { provider } });
  expect(made).toMatchObject({ status: 201, body: { status: 'planned', syncState: 'synced' } });
  const issue = tracker.issues.at(-1);
  if (issue === undefined) throw new Error('There is no issue');
  return {
    ...{ project, path, issue },
    read: async () => (await project.call<Finding>(path)).body,
    async sync() {
      const at = `${path}/work-items/${made.body.id}/sync`;
      const synced = await project.call<{ finding: Finding }>(at, { method: 'POST' });
      expect(synced.status).toBe(200);
      return synced.body.finding;
    },
  };
}

const comments = ({ comments: all }: HostedIssue) => all.map(({ body }) => String(body));

describe('a Finding whose repair was handed over', () => {
  it('awaits verification once its issue is closed, and clean conversations resolve it, with a comment', async () => {
    const { project, issue, read, sync } = await handedOver('verified');
    tracker.put(issue, 'completed');
    expect(await sync()).toMatchObject({
      resolutionStatus: 'awaiting_verification',
      workItem: { status: 'done', doneReason: 'completed' },
      verification: { cleanExposures: 0, requiredExposures: REQUIRED },
    });
    for (const number of [1, 2]) await tell(project, repairedConversation(`clean ${number}`));
    await eventually(async () => expect(await read()).toMatchObject({ resolutionStatus: 'resolved' }), PATIENCE);
    const recurrenceBound = expect.closeTo(1 - 0.05 ** 0.5, 6);
    expect((await read()).verification).toMatchObject({ cleanExposures: REQUIRED, recurrenceBound });
    await eventually(() => expect(comments(issue)).toEqual([expect.stringContaining('at most 77.6%')]), PATIENCE);
    expect(issue.state).toBe('completed');
  });

  it('regresses where a later conversation shows it, with a comment, and its issue is reopened', async () => {
    const { project, issue, read, sync } = await handedOver('regressed');
    tracker.put(issue, 'completed');
    await sync();
    await tell(project, failingToolConversation('after the repair'));
    await eventually(async () => expect(await read()).toMatchObject({ resolutionStatus: 'regressed' }), PATIENCE);
    await eventually(() => expect(comments(issue)).toEqual([expect.stringContaining('Regressed')]), PATIENCE);
    await eventually(() => expect(issue.state).toBe('open'), PATIENCE);
    await eventually(async () => expect(await read()).toMatchObject({ workItem: { status: 'planned' } }), PATIENCE);
    expect((await read()).resolutionStatus).toBe('regressed');
  });

  it('is unresolved where its issue is closed as not planned, and the reason is kept', async () => {
    const { issue, sync } = await handedOver('not planned');
    tracker.put(issue, 'not_planned');
    expect(await sync()).toMatchObject({
      resolutionStatus: 'unresolved',
      workItem: { status: 'done', doneReason: 'not_planned' },
    });
    expect(comments(issue)).toEqual([]);
  });
});
