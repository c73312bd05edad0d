import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startLoopbackJira, type LoopbackJira } from '@clew/testing/issue-trackers';
import { call, DRAFT, MARKER, trackerAt, valueOf } from '../test-support/trackers.ts';
import type { IssueTracker } from '../tracker/issue-tracker.ts';
import { jiraState, transitionTo } from './jira-issue.ts';

let host: LoopbackJira;
let tracker: IssueTracker;

beforeEach(async () => {
  host = await startLoopbackJira();
  tracker = trackerAt(host);
});
afterEach(() => host.stop());

const typeOf = (destination: object) => {
  host.requests.length = 0;
  return trackerAt(host, { destination }).create(DRAFT, MARKER, call());
};
const sentType = () => (host.requests.at(-1)?.json['fields'] as { issuetype?: unknown }).issuetype;

describe('the type of an issue in Jira', () => {
  it('is Bug where none is named, and otherwise the one with that id or name', async () => {
    await typeOf({ projectKey: 'SHOP' });
    expect(sentType()).toEqual({ id: '10004' });
    await typeOf({ projectKey: 'SHOP', issueType: 'task' });
    expect(sentType()).toEqual({ id: '10001' });
    await typeOf({ projectKey: 'SHOP', issueType: '10001' });
    expect([sentType(), host.requests.length]).toEqual([{ id: '10001' }, 1]);
  });

  it('that does not exist, or is a subtask, is refused before anything is sent', async () => {
    for (const issueType of ['Epic', 'Sub-task']) {
      expect(await typeOf({ projectKey: 'SHOP', issueType })).toMatchObject({ kind: 'refused', reason: 'destination' });
      const test = await trackerAt(host, { destination: { projectKey: 'SHOP', issueType } }).test(call());
      expect(test).toMatchObject({ kind: 'refused', reason: 'destination' });
    }
    expect(host.issues).toEqual([]);
  });
});

describe('the marker of an issue in Jira', () => {
  it('is a label', async () => {
    await tracker.create(DRAFT, MARKER, call());
    expect(host.issues[0]?.labels).toEqual([MARKER]);
  });

  it('is in the text alone where the project has no labels, or drops them, and is found there', async () => {
    host.settings.hasNoLabels = true;
    valueOf(await tracker.create(DRAFT, MARKER, call()));
    host.settings.hasNoLabels = false;
    host.settings.dropsLabels = true;
    valueOf(await tracker.create(DRAFT, `${MARKER}2`, call()));
    expect(host.issues.map(({ labels }) => labels)).toEqual([[], []]);
    for (const [index, marker] of [MARKER, `${MARKER}2`].entries()) {
      const { found } = valueOf(await tracker.findByMarker(marker, 0, call()));
      expect(found).toMatchObject([{ issue: { externalId: String(host.issues[index]?.id) } }]);
    }
  });
});

describe('a state of Jira', () => {
  const status = (name: string, key?: string) => ({ name, ...(key === undefined ? {} : { statusCategory: { key } }) });

  it.each([
    [status('Selected for development', 'new'), null, { kind: 'open' }],
    [status('In Prüfung', 'indeterminate'), null, { kind: 'in_progress' }],
    [status('Undefined', 'undefined'), null, { kind: 'open' }],
    [status('Without a category'), null, { kind: 'open' }],
    [status('Erledigt', 'done'), null, { kind: 'done', reason: 'completed' }],
    [status('Done', 'done'), { name: 'Fixed' }, { kind: 'done', reason: 'completed' }],
    [status('Done', 'done'), { name: "Won't Fix" }, { kind: 'done', reason: 'not_planned' }],
    [status('Done', 'done'), { name: 'Cannot Reproduce' }, { kind: 'done', reason: 'not_planned' }],
    [status('Done', 'done'), { name: 'Declined' }, { kind: 'done', reason: 'not_planned' }],
    [status('Done', 'done'), { name: 'Duplicate' }, { kind: 'done', reason: 'duplicate' }],
    [status('Cancelled', 'done'), null, { kind: 'done', reason: 'cancelled' }],
    [status('Canceled', 'done'), { name: 'Done' }, { kind: 'done', reason: 'cancelled' }],
  ])('%j with the resolution %j', (given, resolution, state) => {
    expect(jiraState({ status: given, resolution })).toEqual(state);
  });

  it('without a transition to it is refused: none is named, or none leads there', async () => {
    const { externalId } = valueOf(await tracker.create(DRAFT, MARKER, call()));
    host.settings.hidesTargets = true;
    const refused = { kind: 'refused', reason: 'state' };
    expect(await tracker.setState(externalId, 'completed', call())).toMatchObject(refused);
    host.settings.hidesTargets = false;
    valueOf(await tracker.setState(externalId, 'completed', call()));
    host.settings.cannotReopen = true;
    expect(await tracker.setState(externalId, 'open', call())).toMatchObject(refused);
  });

  it('that is done is reached by the transition that says what was meant', () => {
    const transition = (id: string, name: string, key: string) => ({ id, name, to: status(name, key) });
    const all = [
      transition('1', 'Reject', 'done'),
      transition('2', 'Finish', 'done'),
      transition('3', 'Start', 'indeterminate'),
    ];
    expect(transitionTo('completed', all)?.id).toBe('2');
    expect(transitionTo('not_planned', all)?.id).toBe('1');
    expect(transitionTo('not_planned', all.slice(1))?.id).toBe('2');
    expect(transitionTo('open', all)?.id).toBe('3');
    expect(transitionTo('completed', all.slice(0, 1))).toBeUndefined();
    expect(transitionTo('in_progress', [{ id: '4', name: 'In Progress' }])).toBeUndefined();
  });
});

describe('an issue of Jira', () => {
  it('keeps its id when it moves to another project, where its key changes', async () => {
    const { externalId, key } = valueOf(await tracker.create(DRAFT, MARKER, call()));
    expect(key).toBe('SHOP-1');
    host.move(host.issues[0]!);
    const read = valueOf(await tracker.read(externalId, call()));
    expect(read).toMatchObject({
      kind: 'present',
      issue: { externalId, key: 'ELSE-501', url: `${host.baseUrl}/browse/ELSE-501` },
    });
    expect(valueOf(await tracker.read('SHOP-1', call()))).toMatchObject({ issue: { externalId } });
  });
});

describe('a server without the API of Jira Cloud', () => {
  it('is refused when the connection is tested', async () => {
    const other = trackerAt({ ...host, baseUrl: `${host.baseUrl}/jira` });
    const refused = { kind: 'refused', reason: 'address' };
    host.faults.next({ kind: 'fail', status: 404, when: 'before' }, { on: 'test' });
    expect(await tracker.test(call())).toMatchObject(refused);
    expect((await other.test(call())).kind).toBe('refused');
  });
});
