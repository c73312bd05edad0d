import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import {
  startLoopbackTracker,
  type Fault,
  type HostedIssue,
  type HostedState,
  type LoopbackTracker,
} from '@clew/testing/issue-trackers';
import { resolvedComment } from './body/comments.ts';
import { call, DRAFT, MARKER, trackerAt, valueOf } from './test-support/trackers.ts';
import { PROVIDERS, type Provider } from './tracker/connection.ts';
import type { ChangedIssues, IssueTracker, PresentState, TargetState } from './tracker/issue-tracker.ts';

const START_MS = 1_764_500_000_000;
const MINUTE_MS = 60_000;
const COMMENT = {
  body: resolvedComment({ cleanExposures: 40, recurrenceBound: 0.072, since: START_MS }, 'https://clew.example/f'),
  marker: `${MARKER}-resolved`,
};

let nowMs = START_MS;
const clock = { now: () => nowMs };

describe.each([...PROVIDERS])('an issue tracker: %s', (provider) => {
  let host: LoopbackTracker;
  let tracker: IssueTracker;

  beforeAll(() => {
    nowMs = START_MS;
  });
  beforeEach(async () => {
    nowMs += 24 * 60 * MINUTE_MS;
    host = await startLoopbackTracker(provider, { now: clock.now });
    tracker = trackerAt(host, { clock });
  });
  afterEach(() => host.stop());

  const create = () => tracker.create(DRAFT, MARKER, call());
  const find = (sinceMs = nowMs) => tracker.findByMarker(MARKER, sinceMs, call());
  const only = (): HostedIssue => {
    expect(host.issues).toHaveLength(1);
    return host.issues[0]!;
  };
  /** Time passes, so that a change is visible in the times of the issue. */
  const later = (ms = MINUTE_MS) => (nowMs += ms);

  it('tells whose credentials these are, and sees the destination', async () => {
    const test = valueOf(await tracker.test(call()));
    expect(test.account).toMatch(/^(?:clew-bot|Clew Bot)$/);
    expect(test.destination?.name).toMatch(/shop|Shop|Engineering/);
    const bare = trackerAt(host, { destination: undefined });
    expect(valueOf(await bare.test(call())).destination).toBeNull();
    expect(await bare.create(DRAFT, MARKER, call())).toMatchObject({ kind: 'refused', reason: 'destination' });
  });

  it('creates an issue, reads it by its id, and finds it by its marker and no other', async () => {
    host.add('Somebody else');
    const link = valueOf(await create());
    const read = valueOf(await tracker.read(link.externalId, call()));
    expect(read).toMatchObject({ kind: 'present', issue: { ...link, title: DRAFT.title, state: { kind: 'open' } } });
    const { found } = valueOf(await find());
    expect(found).toMatchObject([{ kind: 'present', issue: { externalId: link.externalId } }]);
    expect(valueOf(await tracker.findByMarker(`${MARKER}X`, nowMs, call())).found).toEqual([]);
  });

  it('says that an empty search is proof only where the list is consistent', async () => {
    expect(valueOf(await find())).toEqual({ found: [], isProof: provider !== 'jira' });
  });

  it('finds a new issue at once although searches lag; where only a search can find it, it proves nothing', async () => {
    host.settings.searchLagMs = 10 * MINUTE_MS;
    await create();
    const { found, isProof } = valueOf(await find());
    expect({ found: found.length, isProof }).toEqual(
      provider === 'jira' ? { found: 0, isProof: false } : { found: 1, isProof: true },
    );
    later(11 * MINUTE_MS);
    expect(valueOf(await find(nowMs - 11 * MINUTE_MS)).found).toHaveLength(1);
  });

  it('finds an issue among hundreds of others that were made since', async () => {
    const sinceMs = nowMs;
    for (let index = 0; index < 120; index += 1) host.add(`Before ${index}`);
    const link = valueOf(await create());
    later();
    for (let index = 0; index < 120; index += 1) host.add(`After ${index}`);
    const { found } = valueOf(await find(sinceMs));
    expect(found).toMatchObject([{ issue: { externalId: link.externalId } }]);
  });

  it.each<[HostedState, PresentState]>([
    ['open', { kind: 'open' }],
    ['in_progress', { kind: 'in_progress' }],
    ['completed', { kind: 'done', reason: 'completed' }],
    ['not_planned', { kind: 'done', reason: 'not_planned' }],
    ['cancelled', { kind: 'done', reason: 'cancelled' }],
    ['duplicate', { kind: 'done', reason: 'duplicate' }],
  ])('reads %s as the product knows it', async (hosted, state) => {
    const link = valueOf(await create());
    host.put(only(), hosted);
    const read = valueOf(await tracker.read(link.externalId, call()));
    expect(read).toMatchObject({ kind: 'present', issue: { state: knownState(provider, state) } });
  });

  it('puts an issue into each state that the provider has, once', async () => {
    const { externalId } = valueOf(await create());
    const targets: TargetState[] = ['in_progress', 'completed', 'open', 'not_planned', 'open'];
    for (const target of targets) {
      later();
      const outcome = await tracker.setState(externalId, target, call());
      if (target === 'in_progress' && (provider === 'github' || provider === 'gitlab')) {
        expect(outcome).toMatchObject({ kind: 'refused', reason: 'state' });
        continue;
      }
      expect(outcome).toEqual({ kind: 'done', value: { changed: true } });
      expect(await tracker.setState(externalId, target, call())).toEqual({ kind: 'done', value: { changed: false } });
      const read = valueOf(await tracker.read(externalId, call()));
      expect(read).toMatchObject({ kind: 'present', issue: { state: { kind: STATE_AFTER[target] } } });
    }
  });

  it('updates title and body, and the marker stays', async () => {
    const { externalId } = valueOf(await create());
    const changed = { ...DRAFT, title: 'Another title' };
    expect(await tracker.update(externalId, changed, MARKER, call())).toEqual({ kind: 'done', value: null });
    expect(only().title).toBe('Another title');
    expect(valueOf(await find()).found).toHaveLength(1);
  });

  it('adds a comment, and after an unknown outcome adds it only if it is not there', async () => {
    const { externalId } = valueOf(await create());
    const comment = (mayExist: boolean) => tracker.comment(externalId, { ...COMMENT, mayExist }, call());
    expect(await comment(true)).toEqual({ kind: 'done', value: { created: true } });
    expect(await comment(true)).toEqual({ kind: 'done', value: { created: false } });
    expect(only().comments).toHaveLength(1);
    host.faults.next({ kind: 'cut', when: 'after' }, { on: 'comment' });
    const second = { ...COMMENT, marker: `${MARKER}-again` };
    expect(await tracker.comment(externalId, { ...second, mayExist: false }, call())).toMatchObject({
      kind: 'unknown',
    });
    expect(await tracker.comment(externalId, { ...second, mayExist: true }, call())).toMatchObject({
      ...{ kind: 'done', value: { created: false } },
    });
    expect(only().comments).toHaveLength(2);
  });

  describe('when the end of a request is not known', () => {
    const AFTER_EFFECT: Fault[] = [
      { kind: 'cut', when: 'after' },
      { kind: 'cut', when: 'within' },
      { kind: 'fail', status: 502, when: 'after' },
      { kind: 'fail', status: 500, when: 'after' },
      { kind: 'silent', when: 'after' },
      { kind: 'malformed', as: 'html' },
      { kind: 'malformed', as: 'half' },
      { kind: 'malformed', as: 'empty' },
    ];
    const BEFORE_EFFECT: Fault[] = [
      { kind: 'cut', when: 'before' },
      { kind: 'fail', status: 503, when: 'before' },
      { kind: 'silent', when: 'before' },
    ];

    it.each(AFTER_EFFECT)('a creation is unknown and found afterwards: %j', async (fault) => {
      host.faults.next(fault, { on: 'create' });
      expect(await tracker.create(DRAFT, MARKER, call({ deadlineMs: 300 }))).toMatchObject({ kind: 'unknown' });
      expect(host.issues).toHaveLength(1);
      expect(valueOf(await find()).found).toHaveLength(1);
    });

    it.each(BEFORE_EFFECT)('a creation is unknown and not found afterwards: %j', async (fault) => {
      host.faults.next(fault, { on: 'create' });
      expect(await tracker.create(DRAFT, MARKER, call({ deadlineMs: 300 }))).toMatchObject({ kind: 'unknown' });
      expect(valueOf(await find()).found).toEqual([]);
      expect(host.issues).toHaveLength(0);
    });

    it.each(AFTER_EFFECT)('a change of state is unknown, and can be repeated: %j', async (fault) => {
      const { externalId } = valueOf(await create());
      host.faults.next(fault, { on: 'change' });
      const outcome = await tracker.setState(externalId, 'completed', call({ deadlineMs: 300 }));
      // An answer without content says nothing that could be malformed.
      const needsNoBody = fault.kind === 'malformed' && provider !== 'linear';
      expect(outcome.kind).toBe(needsNoBody ? 'done' : 'unknown');
      expect(await tracker.setState(externalId, 'completed', call())).toEqual({
        kind: 'done',
        value: { changed: false },
      });
    });

    it.each([...AFTER_EFFECT, ...BEFORE_EFFECT])('a reading is only postponed: %j', async (fault) => {
      const { externalId } = valueOf(await create());
      host.faults.next(fault, { on: 'read' });
      const outcome = await tracker.read(externalId, call({ deadlineMs: 300 }));
      expect(outcome).toMatchObject({ kind: 'later', reason: 'unavailable', retryAfterMs: null });
      host.faults.next(fault, { on: 'list' });
      expect(await tracker.listChanged({ sinceMs: nowMs, cursor: null }, call({ deadlineMs: 300 }))).toMatchObject({
        kind: 'later',
      });
    });

    it('sends each request once, whatever comes back', async () => {
      for (const fault of [...AFTER_EFFECT, ...BEFORE_EFFECT].filter(({ kind }) => kind !== 'silent')) {
        host.faults.next(fault, { on: 'create' });
        const before = host.requests.length;
        await create();
        expect(host.requests.slice(before).filter(({ operation }) => operation === 'create')).toHaveLength(1);
      }
    });
  });

  it('postpones a call to a server that is not there: nothing was sent', async () => {
    await host.stop();
    expect(await create()).toMatchObject({ kind: 'later', reason: 'unavailable' });
  });

  it('ends a call when its signal is aborted: unknown if it was being sent, later before', async () => {
    host.faults.next({ kind: 'silent', when: 'after' }, { on: 'create' });
    const controller = new AbortController();
    const created = tracker.create(DRAFT, MARKER, call({ signal: controller.signal, deadlineMs: 60_000 }));
    await eventually(() => expect(host.issues).toHaveLength(1), { intervalMs: 1 });
    controller.abort();
    expect(await created).toMatchObject({ kind: 'unknown' });
    expect(await tracker.create(DRAFT, MARKER, call({ signal: controller.signal }))).toMatchObject({ kind: 'later' });
    expect(host.issues).toHaveLength(1);
  });

  it.each(['asked', 'reset', 'bare'] as const)('obeys a limit of the rate (%s), which has no effect', async (as) => {
    for (const on of ['create', 'list'] as const) {
      host.faults.next({ kind: 'rate_limited', as, seconds: 37 }, { on });
      const outcome =
        on === 'create' ? await create() : await tracker.listChanged({ sinceMs: nowMs, cursor: null }, call());
      expect(outcome).toMatchObject({ kind: 'later', reason: 'rate_limited', isMinimum: as === 'bare' });
      const { retryAfterMs } = outcome as { retryAfterMs: number };
      expect(retryAfterMs).toBeGreaterThanOrEqual(as === 'bare' ? 30_000 : 36_000);
      if (as !== 'bare') expect(retryAfterMs).toBeLessThanOrEqual(38_000);
    }
    expect(host.issues).toHaveLength(0);
  });

  it('waits for the reset once the calls of an hour are used up', async () => {
    await host.stop();
    host = await startLoopbackTracker(provider, { now: clock.now, callsPerHour: 1 });
    tracker = trackerAt(host, { clock });
    const listed = () => tracker.listChanged({ sinceMs: nowMs, cursor: null }, call());
    expect(await listed()).toMatchObject({ kind: 'done' });
    const limited = await listed();
    expect(limited).toMatchObject({ kind: 'later', reason: 'rate_limited', isMinimum: false });
    later((limited as { retryAfterMs: number }).retryAfterMs + 1_000);
    expect(await listed()).toMatchObject({ kind: 'done' });
  });

  describe('refuses for good, with a reason for people', () => {
    it('credentials that the provider does not accept, without repeating them', async () => {
      host.settings.isRevoked = true;
      const link = { externalId: externalIdOf(provider) };
      const outcomes = [
        await tracker.test(call()),
        await create(),
        await tracker.read(link.externalId, call()),
        await find(),
        await tracker.listChanged({ sinceMs: nowMs, cursor: null }, call()),
      ];
      for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'refused', reason: 'credentials' });
      for (const secret of Object.values(host.credentials)) expect(JSON.stringify(outcomes)).not.toContain(secret);
    });

    it('credentials that may only read', async () => {
      const { externalId } = valueOf(await create());
      host.settings.isReadOnly = true;
      expect(await create()).toMatchObject({ kind: provider === 'linear' ? 'done' : 'refused' });
      const denied = { kind: 'refused', reason: 'permission' };
      expect(await tracker.create(DRAFT, `${MARKER}2`, call())).toMatchObject(denied);
      expect(await tracker.setState(externalId, 'completed', call())).toMatchObject(denied);
      expect(await tracker.comment(externalId, { ...COMMENT, mayExist: false }, call())).toMatchObject(denied);
    });

    it('a destination that is hidden: its issues do not count as deleted', async () => {
      const { externalId } = valueOf(await create());
      host.settings.isHidden = true;
      const hidden = { kind: 'refused', reason: 'destination' };
      expect(await tracker.test(call())).toMatchObject(hidden);
      expect(await tracker.read(externalId, call())).toMatchObject(hidden);
      expect(await tracker.listChanged({ sinceMs: nowMs, cursor: null }, call())).toMatchObject(
        provider === 'jira' ? { kind: 'refused' } : hidden,
      );
    });

    it('a destination that takes no issues', async () => {
      host.settings.issuesDisabled = true;
      expect(await create()).toMatchObject({ kind: 'refused' });
    });

    it('a server that is not the provider', async () => {
      host.faults.next({ kind: 'malformed', as: 'html' }, { on: 'test' });
      expect(await tracker.test(call())).toMatchObject({ kind: 'refused', reason: 'address' });
    });

    it('changes of a deleted issue', async () => {
      const { externalId } = valueOf(await create());
      host.remove(only());
      const gone = { kind: 'refused', reason: 'gone' };
      expect(await tracker.update(externalId, DRAFT, MARKER, call())).toMatchObject(gone);
      expect(await tracker.setState(externalId, 'open', call())).toMatchObject(gone);
      expect(await tracker.comment(externalId, { ...COMMENT, mayExist: true }, call())).toMatchObject(gone);
      expect(await tracker.comment(externalId, { ...COMMENT, mayExist: false }, call())).toMatchObject(gone);
    });
  });

  it('reads a deleted issue as gone', async () => {
    const { externalId } = valueOf(await create());
    host.remove(only());
    expect(valueOf(await tracker.read(externalId, call()))).toEqual({ kind: 'gone', externalId, reason: 'deleted' });
  });

  it('follows an issue that moved, or says that it did', async () => {
    const { externalId } = valueOf(await create());
    host.move(only());
    const read = valueOf(await tracker.read(externalId, call()));
    if (provider === 'gitlab') return expect(read).toEqual({ kind: 'gone', externalId, reason: 'moved' });
    expect(read).toMatchObject({ kind: 'present', issue: { title: DRAFT.title } });
    expect(await tracker.setState(externalId, 'completed', call())).toMatchObject({ kind: 'done' });
    expect(await tracker.comment(externalId, { ...COMMENT, mayExist: true }, call())).toMatchObject({ kind: 'done' });
    expect(await tracker.update(externalId, DRAFT, MARKER, call())).toMatchObject({ kind: 'done' });
    expect(only()).toMatchObject({ state: 'completed', comments: [{}] });
  });

  describe('lists changes', () => {
    const walk = async (sinceMs: number) => {
      const seen: string[] = [];
      let cursor: string | null = null;
      for (;;) {
        const page: ChangedIssues = valueOf(await tracker.listChanged({ sinceMs, cursor }, call()));
        seen.push(...page.issues.map((each) => (each.kind === 'gone' ? `gone ${each.externalId}` : each.issue.title)));
        cursor = page.cursor;
        if (cursor === null) return { seen, nextMs: page.sinceMs };
      }
    };

    it('page by page, each issue, and in the next walk only the later ones', async () => {
      const [sinceMs, titles] = [nowMs, Array.from({ length: 130 }, (_, index) => `Issue ${index}`)];
      for (const title of titles) {
        // Several have the same time, also across pages.
        if (Number(title.slice(6)) % 40 === 0) later(1_000);
        host.add(title);
      }
      const first = await walk(sinceMs);
      expect(new Set(first.seen)).toEqual(new Set(titles));
      later(60 * MINUTE_MS);
      host.rename(host.issues[3]!, 'Renamed');
      expect((await walk(first.nextMs + 30 * MINUTE_MS)).seen).toEqual(['Renamed']);
      expect((await walk(nowMs + 60 * MINUTE_MS)).nextMs).toBe(nowMs + 60 * MINUTE_MS);
    });

    it('also those that change during the walk', async () => {
      const sinceMs = nowMs;
      for (let index = 0; index < 120; index += 1) {
        later(1_000);
        host.add(`Issue ${index}`);
      }
      const first = valueOf(await tracker.listChanged({ sinceMs, cursor: null }, call()));
      later(10_000);
      // Changed issues leave their place in the order, and everything behind them moves up.
      for (const issue of host.issues.slice(0, 30)) host.rename(issue, `${issue.title} again`);
      const rest = valueOf(await tracker.listChanged({ sinceMs, cursor: first.cursor }, call()));
      const seen = new Set(
        [...first.issues, ...rest.issues].map((each) => (each.kind === 'present' ? each.issue.title : '')),
      );
      let { cursor } = rest;
      while (cursor !== null) {
        const page: ChangedIssues = valueOf(await tracker.listChanged({ sinceMs, cursor }, call()));
        for (const each of page.issues) if (each.kind === 'present') seen.add(each.issue.title);
        cursor = page.cursor;
      }
      const unchanged = host.issues.slice(30).map(({ title }) => title);
      expect(unchanged.filter((title) => !seen.has(title))).toEqual([]);
      const next = await walk(rest.sinceMs);
      expect(host.issues.slice(0, 30).every(({ title }) => seen.has(title) || next.seen.includes(title))).toBe(true);
    });

    it('with few calls, where little changed', async () => {
      for (let index = 0; index < 1_000; index += 1) host.add(`Issue ${index}`);
      later(60 * MINUTE_MS);
      const sinceMs = nowMs;
      for (const issue of host.issues.slice(0, 100)) host.rename(issue, 'Renamed');
      const before = host.requests.length;
      expect(new Set((await walk(sinceMs)).seen)).toEqual(new Set(['Renamed']));
      expect(host.requests.length - before).toBeLessThanOrEqual(8);
    });

    it('also a change that became visible after later ones', async () => {
      host.add('In time');
      const { nextMs } = await walk(nowMs);
      later(-2 * MINUTE_MS);
      host.add('Late');
      later(2 * MINUTE_MS);
      expect((await walk(nextMs)).seen).toContain('Late');
    });

    it('and begins again where a cursor is damaged', async () => {
      host.add('Only');
      const page = valueOf(await tracker.listChanged({ sinceMs: nowMs, cursor: '{"no' }, call()));
      expect(page.issues).toHaveLength(1);
    });
  });

  it('refuses markers that would mean something in a query or text', async () => {
    for (const marker of ['short', 'wi_" OR project = "X', 'wi_--> <b>12345678', `wi_${'x'.repeat(100)}`]) {
      expect(await tracker.create(DRAFT, marker, call())).toMatchObject({ kind: 'refused', reason: 'content' });
    }
    expect(host.requests).toEqual([]);
  });
});

const STATE_AFTER: Readonly<Record<TargetState, PresentState['kind']>> = {
  ...{ open: 'open', in_progress: 'in_progress', completed: 'done', not_planned: 'done' },
};

/** State as far as a provider knows it: not all know work in progress, and reasons. */
function knownState(provider: Provider, state: PresentState): PresentState {
  if (provider === 'jira') return state;
  if (state.kind === 'in_progress') return provider === 'linear' ? state : { kind: 'open' };
  if (state.kind !== 'done') return state;
  const { reason } = state;
  if (reason === 'duplicate' || reason === 'completed') return state;
  if (provider === 'github') return { kind: 'done', reason: 'not_planned' };
  return { kind: 'done', reason: provider === 'linear' ? 'cancelled' : 'completed' };
}

function externalIdOf(provider: Provider): string {
  const ids = { github: 'acme/shop#1', gitlab: '42#1', jira: '10001', linear: '9cfb482a-81e3-4154-b5b9-2c805e70a02d' };
  return ids[provider];
}
