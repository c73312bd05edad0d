import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startLoopbackLinear, type LoopbackLinear } from '@clew/testing/issue-trackers';
import fc from 'fast-check';
import { call, DRAFT, MARKER, trackerAt, valueOf } from '../test-support/trackers.ts';
import type { IssueTracker } from '../tracker/issue-tracker.ts';
import { linearIdOf } from './linear-id.ts';
import { linearState } from './linear-issue.ts';

let host: LoopbackLinear;
let tracker: IssueTracker;

beforeEach(async () => {
  host = await startLoopbackLinear();
  tracker = trackerAt(host);
});
afterEach(() => host.stop());

describe('the id of an issue in Linear', () => {
  it('is a random UUID in form, the same for the same marker, and another for any other', () => {
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 20 }), (markers) => {
        const ids = markers.map(linearIdOf);
        expect(ids.every((id) => form.test(id))).toBe(true);
        expect(new Set(ids).size).toBe(markers.length);
        expect(markers.map(linearIdOf)).toEqual(ids);
      }),
    );
  });

  it('makes one issue of many creations', async () => {
    const created = await Promise.all(Array.from({ length: 8 }, () => tracker.create(DRAFT, MARKER, call())));
    expect(new Set(created.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(created[0]).toMatchObject({ kind: 'done', value: { externalId: linearIdOf(MARKER), key: 'ENG-1' } });
    expect(host.issues).toHaveLength(1);
  });

  it('never brings a deleted issue back', async () => {
    const { externalId } = valueOf(await tracker.create(DRAFT, MARKER, call()));
    host.remove(host.issues[0]!);
    expect(valueOf(await tracker.create(DRAFT, MARKER, call())).externalId).toBe(externalId);
    const { found } = valueOf(await tracker.findByMarker(MARKER, 0, call()));
    expect(found).toEqual([{ kind: 'gone', externalId, reason: 'deleted' }]);
    expect(host.issues).toHaveLength(1);
  });
});

describe.each([200, 400] as const)('an error of Linear in an answer with status %i', (errorStatus) => {
  beforeEach(() => {
    host.settings.errorStatus = errorStatus;
  });

  it('is a missing issue, or a limit, or a refusal', async () => {
    host.settings.emptiesBin = true;
    const { externalId } = valueOf(await tracker.create(DRAFT, MARKER, call()));
    host.remove(host.issues[0]!);
    expect(valueOf(await tracker.read(externalId, call()))).toEqual({ kind: 'gone', externalId, reason: 'deleted' });
    expect(valueOf(await tracker.findByMarker(`${MARKER}2`, 0, call()))).toEqual({ found: [], isProof: true });
    host.faults.next({ kind: 'rate_limited', as: 'reset', seconds: 9 });
    expect(await tracker.read(externalId, call())).toMatchObject({ kind: 'later', reason: 'rate_limited' });
    host.settings.isReadOnly = true;
    const denied = await tracker.create(DRAFT, `${MARKER}2`, call());
    expect(denied).toMatchObject({
      kind: 'refused',
      reason: 'permission',
      message: expect.stringContaining('write access'),
    });
  });
});

describe('a state of Linear', () => {
  it.each([
    ['Triage', 'triage', { kind: 'open' }],
    ['Backlog', 'backlog', { kind: 'open' }],
    ['Todo', 'unstarted', { kind: 'open' }],
    ['In Review', 'started', { kind: 'in_progress' }],
    ['Shipped', 'completed', { kind: 'done', reason: 'completed' }],
    ['Canceled', 'canceled', { kind: 'done', reason: 'cancelled' }],
    ['Duplicate', 'canceled', { kind: 'done', reason: 'duplicate' }],
    ['Duplicate', 'duplicate', { kind: 'done', reason: 'duplicate' }],
    ['New', 'a type to come', { kind: 'open' }],
  ])('%s (%s)', (name, type, state) => expect(linearState({ name, type })).toEqual(state));

  it('is the first of its type', async () => {
    const { externalId } = valueOf(await tracker.create(DRAFT, MARKER, call()));
    await tracker.setState(externalId, 'in_progress', call());
    const variables = host.requests.findLast(({ operation }) => operation === 'change')?.json['variables'];
    expect(variables).toMatchObject({ input: { stateId: '00000000-0000-4000-8000-000000000005' } });
  });
});

describe('an issue of Linear', () => {
  it('has a priority by the severity of its Finding', async () => {
    for (const severity of ['critical', 'high', 'medium', 'low', 'info'] as const) {
      await tracker.create({ ...DRAFT, severity }, `${MARKER}-${severity}`, call());
    }
    expect(host.issues.map(({ priority }) => priority)).toEqual([1, 2, 3, 4, 0]);
  });

  it('is read by its identifier too, and named by its lasting id', async () => {
    const { externalId } = valueOf(await tracker.create(DRAFT, MARKER, call()));
    expect(valueOf(await tracker.read('ENG-1', call()))).toMatchObject({ issue: { externalId, key: 'ENG-1' } });
  });

  it('is listed as gone while it is in the bin', async () => {
    const { externalId } = valueOf(await tracker.create(DRAFT, MARKER, call()));
    host.remove(host.issues[0]!);
    const changed = valueOf(await tracker.listChanged({ sinceMs: 0, cursor: null }, call()));
    expect(changed.issues).toEqual([{ kind: 'gone', externalId, reason: 'deleted' }]);
  });
});

describe('the token of an app', () => {
  it('has a scheme, while the key of a person has none', async () => {
    await tracker.test(call());
    await trackerAt(host, { credentials: { token: 'lin_oauth_x' } }).test(call());
    expect(host.requests.map(({ headers }) => headers.authorization)).toEqual([
      ...[host.credentials['token'], host.credentials['token'], 'Bearer lin_oauth_x'],
    ]);
  });
});
