import { regressedComment, resolvedComment, type RichText, type TrackerCall } from '@clew/issue-trackers';
import { backoffMs } from '@clew/kernel';
import type { Connectors, StoredConnector } from '../connectors/index.ts';
import { findingUrlOf } from '../findings/finding-view.ts';
import type { StoredFinding } from '../findings/finding.ts';
import type { IssueNews, IssueNoteDocument } from '../findings/verification/index.ts';
import { waitAfter, waitToLook, type PaceStore, type StoredWorkItem, type TrackerCalls } from '../work-items/index.ts';

export interface NoteDependencies {
  connectors: Pick<Connectors, 'read'>;
  calls: TrackerCalls;
  paces: PaceStore;
  now: () => number;
  publicUrl: string;
  reopensOf: (projectId: string) => Promise<boolean>;
  /** Notes that the comment is about to be sent; false if the claim was lost. */
  noteSending: (sentAt: number) => Promise<boolean>;
}

/** Outcome of a step: what is written of the note, and when it is due next. */
export type NoteStep =
  | { kind: 'next'; dueAt: number; set: Partial<IssueNoteDocument> }
  /** All is done, or there is nothing to be done any more. */
  | { kind: 'ended'; isChanged: boolean }
  /** The provider does not let it be made: the Finding says why. */
  | { kind: 'refused'; reason: string };

export interface NoteSubject {
  note: IssueNoteDocument;
  item: StoredWorkItem & { externalId: string };
  finding: StoredFinding;
}

/** Time without success after which a note is given up. */
const GIVE_UP_MS = 24 * 3_600_000;
/** Pause while the connector is switched off. */
const OFF = { firstMs: 60_000, maxMs: 3_600_000, jitter: 0.2 };
const UNPROVEN = 'It is not known whether the comment was made, and it is not made again. ';

type Open = Extract<Awaited<ReturnType<TrackerCalls['open']>>, { kind: 'open' }>;

/** Takes a note a step further: its comment is made, then its issue is reopened where the project wants that. */
export async function makeNote(deps: NoteDependencies, subject: NoteSubject, call: TrackerCall): Promise<NoteStep> {
  const { note, item } = subject;
  const connector = await deps.connectors.read(item.projectId, item.connectorId);
  if (connector === undefined) return NOTHING_LEFT;
  if (!connector.enabled) return again(deps, note, backoffMs(note.failures + 1, OFF), 'The connector is switched off');
  const opened = await deps.calls.open(item);
  if (opened.kind === 'closed') return { kind: 'refused', reason: opened.reason };
  if (opened.kind === 'wait') return { kind: 'next', dueAt: deps.now() + opened.waitMs, set: {} };
  const leave = await deps.calls.enter(opened.connector, call.signal);
  if (leave === undefined) return again(deps, note, waitToLook(note.failures + 1), 'Too many calls are under way');
  try {
    return note.isMade ? await reopen(deps, subject, opened, call) : await comment(deps, subject, opened, call);
  } finally {
    leave();
  }
}

const NOTHING_LEFT = { kind: 'ended', isChanged: false } as const;

async function comment(deps: NoteDependencies, subject: NoteSubject, open: Open, call: TrackerCall): Promise<NoteStep> {
  const { note, item, finding } = subject;
  const waitMs = await deps.paces.create(open.connector, deps.now());
  if (waitMs > 0) return { kind: 'next', dueAt: deps.now() + waitMs, set: {} };
  const mayExist = note.sentAt !== null;
  const sentAt = note.sentAt ?? deps.now();
  if (!(await deps.noteSending(sentAt))) return NOTHING_LEFT;
  const body = commentOf(note.news, findingUrlOf(deps.publicUrl, finding));
  const outcome = await deps.calls.call(
    open.connector,
    (by) => open.tracker.comment(item.externalId, { body, marker: note._id, mayExist }, by),
    call,
  );
  switch (outcome.kind) {
    case 'done':
      return await made(deps, subject, open.connector);
    case 'unknown':
      return again(deps, { ...note, sentAt }, waitToLook(note.failures + 1), outcome.message);
    case 'later': {
      // The call had no effect; one before it may have had.
      const wait = waitAfter(outcome, note.failures + 1);
      return again(deps, note, wait, outcome.message);
    }
    case 'refused':
      if (outcome.reason === 'gone') return NOTHING_LEFT;
      return { kind: 'refused', reason: mayExist ? UNPROVEN + outcome.message : outcome.message };
  }
}

async function made(
  deps: NoteDependencies,
  { note, finding }: NoteSubject,
  { projectId }: StoredConnector,
): Promise<NoteStep> {
  const isRegressed = note.news.kind === 'regressed' && finding.resolutionStatus === 'regressed';
  if (!isRegressed || !(await deps.reopensOf(projectId))) return NOTHING_LEFT;
  return { kind: 'next', dueAt: deps.now(), set: { isMade: true, failures: 0 } };
}

async function reopen(
  deps: NoteDependencies,
  { note, item, finding }: NoteSubject,
  open: Open,
  call: TrackerCall,
): Promise<NoteStep> {
  if (finding.resolutionStatus !== 'regressed') return NOTHING_LEFT;
  const outcome = await deps.calls.call(
    open.connector,
    (by) => open.tracker.setState(item.externalId, 'open', by),
    call,
  );
  switch (outcome.kind) {
    case 'done':
      return { kind: 'ended', isChanged: outcome.value.changed };
    case 'refused':
      return outcome.reason === 'gone' ? NOTHING_LEFT : { kind: 'refused', reason: outcome.message };
    case 'later':
      return again(deps, note, waitAfter(outcome, note.failures + 1), outcome.message);
    // An issue that is open already stays so: the call can be repeated.
    case 'unknown':
      return again(deps, note, waitToLook(note.failures + 1), outcome.message);
  }
}

function again({ now }: NoteDependencies, note: IssueNoteDocument, waitMs: number, reason: string): NoteStep {
  const { sentAt, createdAt, failures } = note;
  const dueAt = now() + Math.ceil(waitMs);
  if (dueAt - createdAt > GIVE_UP_MS) return { kind: 'refused', reason: sentAt === null ? reason : UNPROVEN + reason };
  return { kind: 'next', dueAt, set: { sentAt, failures: failures + 1 } };
}

function commentOf(news: IssueNews, url: string): RichText {
  return news.kind === 'resolved' ? resolvedComment(news, url) : regressedComment(news, url);
}
