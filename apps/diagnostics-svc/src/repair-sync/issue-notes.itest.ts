import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Finding, FindingActivity, WorkItem } from '@clew/contracts';
import { useTestEnvironment } from '@clew/testing';
import type { HostedIssue, LoopbackTracker } from '@clew/testing/issue-trackers';
import { withNewState } from '../findings/changes/index.ts';
import type { FindingHead } from '../findings/finding.ts';
import { createFindingStore } from '../findings/findings.store.ts';
import { awaitingVerification } from '../findings/resolution/resolution.ts';
import { issueNoteCollection } from '../findings/verification/index.ts';
import { resultOf } from '../test-support/results.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { PROVIDERS, startWorld, type WorkItemWorld } from '../test-support/work-items.ts';

const environment = useTestEnvironment();
let service: TestService;
const trackers: LoopbackTracker[] = [];

beforeAll(async () => {
  service = await startTestService(environment);
});
afterAll(async () => {
  await service.stop();
  await Promise.all(trackers.map((tracker) => tracker.stop()));
});

interface Repaired extends WorkItemWorld {
  item: WorkItem;
  issue: HostedIssue;
  /** A conversation that started after the repair. */
  told(conversationId: string, found?: string[]): Promise<void>;
}

/** A Finding that was handed over, repaired, and awaits one clean conversation. */
async function repaired(provider: LoopbackTracker['provider'], settings: object = {}): Promise<Repaired> {
  const its = await startWorld(service, provider);
  trackers.push(its.tracker);
  const { projectId, findingId } = its;
  if (Object.keys(settings).length > 0) {
    await service.call({ method: 'PATCH', projectId, path: '/settings', body: settings });
  }
  const { body: item } = await its.create();
  const [issue] = its.tracker.issues;
  service.clock.advance(10_000);
  its.tracker.put(issue!, 'completed');
  await its.act(item, 'sync');
  const findings = createFindingStore(service.database);
  await service.database.withTransaction(async (tx) => {
    const before = (await findings.get(projectId, findingId, tx))!;
    const open: FindingHead = { ...before, resolutionStatus: 'unresolved' };
    const state = awaitingVerification(open, { requiredExposures: 1, nowMs: service.clock.now() });
    await findings.saveHead(tx, withNewState(before, state, service.clock.now()));
  });
  const since = service.clock.now();
  service.clock.advance(60_000);
  return {
    ...{ ...its, item, issue: issue! },
    told: (conversationId, found = []) =>
      service.take(
        resultOf({
          ...{ projectId, conversationId, found: { rule_a: found } },
          snapshot: { startedAt: since + 1, throughMs: since + 2 },
        }),
      ),
  };
}

const notesOf = ({ projectId }: WorkItemWorld) =>
  issueNoteCollection(service.database.connection).find({ projectId }).toArray();

/** Makes notes until none is due. */
async function note(): Promise<void> {
  for (let rounds = 0; rounds < 50; rounds += 1) if ((await service.repairSync.notes.round()) === 0) return;
  throw new Error('Notes are due again and again');
}

async function later(ms: number): Promise<void> {
  service.clock.advance(ms);
  await note();
}

const saidOn = ({ comments }: HostedIssue) => comments.map(({ body }) => JSON.stringify(body));

describe.each(PROVIDERS)('the issue at %s', (provider) => {
  it('is told that its Finding is resolved, and how sure that is', async () => {
    const its = await repaired(provider);
    await its.told('clean');
    expect(await its.finding()).toMatchObject({ resolutionStatus: 'resolved' });
    await note();
    expect(saidOn(its.issue)).toEqual([expect.stringContaining('95.0%')]);
    expect(await notesOf(its)).toEqual([]);
    expect(its.issue.state).toBe('completed');
  });

  it('is told once, where the answer to the comment was cut', async () => {
    const its = await repaired(provider);
    await its.told('clean');
    its.tracker.faults.next({ kind: 'cut', when: 'after' }, { on: 'comment' });
    await note();
    expect(await notesOf(its)).toMatchObject([{ sentAt: expect.any(Number) }]);
    await later(60_000);
    expect(saidOn(its.issue)).toHaveLength(1);
    expect(await notesOf(its)).toEqual([]);
  });

  it('is told of a regression, and reopened where the project wants that', async () => {
    const its = await repaired(provider, { reopenOnRegression: true });
    await its.told('again', ['loop']);
    expect(await its.finding()).toMatchObject({ resolutionStatus: 'regressed' });
    await note();
    expect(saidOn(its.issue)).toEqual([expect.stringContaining('Regressed')]);
    expect(its.issue.state).toBe('open');
    await service.doWorkItems();
    expect(await its.finding()).toMatchObject({ resolutionStatus: 'regressed', workItem: { status: 'planned' } });
  });

  it('is told of a regression, and left closed where nobody wants it opened', async () => {
    const its = await repaired(provider);
    await its.told('again', ['loop']);
    await note();
    expect(saidOn(its.issue)).toEqual([expect.stringContaining('again')]);
    expect(its.issue.state).toBe('completed');
  });

  it('of an abandoned work item is told nothing', async () => {
    const its = await repaired(provider);
    await its.told('clean');
    await its.act(its.item, 'abandon');
    await note();
    expect(saidOn(its.issue)).toEqual([]);
    expect(await notesOf(its)).toEqual([]);
  });
});

describe('a note on an issue', () => {
  it('waits as the provider asks, and while its connector is switched off', async () => {
    const its = await repaired('gitlab');
    await its.told('clean');
    its.tracker.faults.next({ kind: 'rate_limited', as: 'asked', seconds: 600 }, { on: 'comment' });
    await note();
    await later(300_000);
    expect(saidOn(its.issue)).toEqual([]);
    const at = { projectId: its.projectId, path: `/connectors/${its.connector.id}`, method: 'PATCH' as const };
    await service.call({ ...at, body: { enabled: false } });
    await later(400_000);
    expect(saidOn(its.issue)).toEqual([]);
    await service.call({ ...at, body: { enabled: true } });
    await later(3_600_000);
    expect(saidOn(its.issue)).toHaveLength(1);
  });

  it('that is refused stands in the activity of the Finding, with the reason', async () => {
    const its = await repaired('github');
    await its.told('clean');
    its.tracker.settings.isRevoked = true;
    await note();
    expect(await notesOf(its)).toEqual([]);
    const { body } = await service.call<{ activity: FindingActivity[] }>({
      ...{ projectId: its.projectId, path: `/findings/${its.findingId}/activity` },
    });
    expect(body.activity[0]).toMatchObject({
      ...{ kind: 'comment', actor: { kind: 'service' }, text: expect.stringContaining('was not made') },
    });
  });

  it('comes after the one before it', async () => {
    const its = await repaired('linear');
    await its.told('clean');
    its.tracker.faults.next({ kind: 'fail', status: 503, when: 'before' }, { on: 'comment' });
    await note();
    await its.told('again', ['loop']);
    expect(await its.finding()).toMatchObject({ resolutionStatus: 'regressed' });
    for (let minutes = 0; minutes < 5; minutes += 1) await later(60_000);
    expect(saidOn(its.issue)).toEqual([expect.stringContaining('Resolved'), expect.stringContaining('Regressed')]);
  });

  it('is not made for a person who resolves the Finding', async () => {
    const its = await repaired('github');
    const { projectId, findingId } = its;
    await service.call<Finding>({
      ...{ method: 'PATCH', projectId, path: `/findings/${findingId}`, body: { resolutionStatus: 'resolved' } },
    });
    expect(await notesOf(its)).toEqual([]);
  });
});
