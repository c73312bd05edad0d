import { randomUUID } from 'node:crypto';

/** State of an issue, whatever its provider calls it. */
export type HostedState = 'open' | 'in_progress' | 'completed' | 'not_planned' | 'cancelled' | 'duplicate';

export interface HostedComment {
  id: number;
  uid: string;
  body: unknown;
  createdAtMs: number;
}

/** Issue as its provider keeps it. */
export interface HostedIssue {
  /** Number within its repository, project or team. */
  number: number;
  /** Number and UUID among all issues of the server. */
  id: number;
  uid: string;
  title: string;
  /** Markdown, or a document of Jira. */
  body: unknown;
  state: HostedState;
  labels: string[];
  priority: number;
  comments: HostedComment[];
  createdAtMs: number;
  updatedAtMs: number;
  closedAtMs: number | null;
  gone: 'deleted' | 'moved' | null;
  /** Number at the place that it was moved to. */
  movedTo: number | null;
  isPullRequest: boolean;
}

export type BoardEventKind = 'opened' | 'edited' | 'closed' | 'reopened' | 'deleted' | 'transferred';

/** Event that a provider tells others about. The issue is as it was then. */
export interface BoardEvent {
  kind: BoardEventKind;
  uid: string;
  atMs: number;
  issue: HostedIssue;
}

type Draft = Pick<HostedIssue, 'title' | 'body'> &
  Partial<Pick<HostedIssue, 'uid' | 'labels' | 'priority' | 'isPullRequest'>>;

/** Issues of one destination, with everything that was ever true of them. */
export class IssueBoard {
  readonly issues: HostedIssue[] = [];
  readonly events: BoardEvent[] = [];
  #history = new Map<string, { atMs: number; issue: HostedIssue }[]>();
  #lastNumber = 0;
  #lastId = 9_000;
  readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  create({ title, body, uid = randomUUID(), labels = [], priority = 0, isPullRequest = false }: Draft): HostedIssue {
    const nowMs = this.now();
    this.#lastNumber += 1;
    this.#lastId += 7;
    const issue: HostedIssue = {
      ...{ number: this.#lastNumber, id: this.#lastId, uid, title, body, labels, priority, isPullRequest },
      ...{
        state: 'open',
        comments: [],
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
        closedAtMs: null,
        gone: null,
        movedTo: null,
      },
    };
    this.issues.push(issue);
    this.#note(issue, 'opened');
    return issue;
  }

  change(issue: HostedIssue, changes: Partial<Pick<HostedIssue, 'title' | 'body' | 'state' | 'labels'>>): void {
    const [wasDone, nowMs] = [isDone(issue.state), this.now()];
    Object.assign(issue, changes, { updatedAtMs: nowMs });
    const isNowDone = isDone(issue.state);
    if (isNowDone !== wasDone) issue.closedAtMs = isNowDone ? nowMs : null;
    this.#note(issue, isNowDone === wasDone ? 'edited' : isNowDone ? 'closed' : 'reopened');
  }

  comment(issue: HostedIssue, body: unknown, uid: string = randomUUID()): HostedComment {
    const nowMs = this.now();
    this.#lastId += 1;
    const comment = { id: this.#lastId, uid, body, createdAtMs: nowMs };
    issue.comments.push(comment);
    issue.updatedAtMs = nowMs;
    this.#note(issue, 'edited');
    return comment;
  }

  remove(issue: HostedIssue): void {
    Object.assign(issue, { gone: 'deleted', updatedAtMs: this.now() });
    this.#note(issue, 'deleted');
  }

  move(issue: HostedIssue): void {
    Object.assign(issue, { gone: 'moved', movedTo: issue.number + 500, updatedAtMs: this.now() });
    this.#note(issue, 'transferred');
  }

  /** Returns the issue as an index knows it that lags by this time; undefined if it does not know it yet. */
  indexed(issue: HostedIssue, lagMs: number): HostedIssue | undefined {
    const versions = this.#history.get(issue.uid) ?? [];
    return versions.findLast(({ atMs }) => atMs <= this.now() - lagMs)?.issue;
  }

  #note(issue: HostedIssue, kind: BoardEventKind): void {
    const [atMs, version] = [this.now(), structuredClone(issue)];
    this.#history.set(issue.uid, [...(this.#history.get(issue.uid) ?? []), { atMs, issue: version }]);
    this.events.push({ kind, uid: randomUUID(), atMs, issue: version });
  }
}

export function isDone(state: HostedState): boolean {
  return state !== 'open' && state !== 'in_progress';
}
