import { newId } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import type { FindingHead, FindingMove } from '../finding.ts';
import { issueNoteCollection, type IssueNews, type IssueNoteDocument } from './issue-note.model.ts';

export interface IssueNoteStore {
  /** Makes comments due for the moves of Findings of which their issues are told, in the transaction of the moves. */
  add(tx: Transaction, moves: readonly FindingMove[], nowMs: number): Promise<void>;
}

export function createIssueNoteStore({ connection }: Database): IssueNoteStore {
  return {
    async add(tx, moves, nowMs) {
      const rows = moves.flatMap((move) => noteOf(move, nowMs) ?? []);
      if (rows.length > 0) await issueNoteCollection(connection).insertMany(rows, { session: tx });
    },
  };
}

function noteOf({ before, after }: FindingMove, nowMs: number): IssueNoteDocument | undefined {
  const { projectId, id: findingId, workItem } = after;
  if (before === undefined || before.resolutionStatus === after.resolutionStatus) return undefined;
  const news = newsOf(after);
  if (news === undefined || workItem == null || workItem.externalId === null) return undefined;
  return {
    ...{ _id: newId('note'), projectId, findingId, workItemId: workItem.id, news },
    ...{ sentAt: null, isMade: false, failures: 0, createdAt: nowMs, dueAt: nowMs },
  };
}

/** News about a Finding that was verified or has regressed. A person who resolves one tells the issue themselves. */
function newsOf({ resolutionStatus, verification, window }: FindingHead): IssueNews | undefined {
  if (resolutionStatus === 'resolved' && verification !== null) {
    const { cleanExposures, recurrenceBound, since } = verification;
    return { kind: 'resolved', cleanExposures, recurrenceBound, since };
  }
  if (resolutionStatus !== 'regressed') return undefined;
  // The conversation that shows it again began after the repair: it is the latest one that shows it.
  const [latest] = window.toSorted((one, other) => other.startMs - one.startMs);
  if (latest === undefined) return undefined;
  return { kind: 'regressed', conversationId: latest.conversationId, occurredAtMs: latest.endMs };
}
