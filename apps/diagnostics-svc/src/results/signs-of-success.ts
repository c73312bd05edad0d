import { MAX_WATCHED_PROBLEMS, type MISSING_SUCCESS, type WatchedProblem } from '@clew/contracts';
import { isOpenProblem } from '@clew/rules';
import type { Announcement } from '../analyses/index.ts';
import { rootIdOf, type HeadOf } from '../findings/clusters/cluster.ts';
import { severityOf } from '../findings/occurrence.ts';
import type { AnalysisResult } from './analysis-result.ts';
import { conversationKey, type AnalysedConversation, type ResultState } from './result-state.ts';
import { headOfState } from './with-clusters.ts';

/**
 * Adds what speaks against the success of conversations, as far as the results in hand tell it, so that whoever looks
 * for successes need not read them.
 */
export function withSignsOfSuccess(
  announcements: readonly Announcement[],
  taken: readonly AnalysisResult[],
  after: ResultState,
): readonly Announcement[] {
  const missing = new Map(taken.map(({ snapshotId, missingSuccess }) => [snapshotId, missingSuccess]));
  const headOf = headOfState(after);
  return announcements.map(({ projectId, snapshot }) => {
    const missingSuccess = missing.get(snapshot.snapshotId);
    const conversation = after.conversations.get(conversationKey(projectId, snapshot.conversationId));
    const openProblems = conversation === undefined ? [] : openProblemsOf(conversation, headOf);
    return { projectId, snapshot: { ...snapshot, ...signsOf(missingSuccess, openProblems) } };
  });
}

function signsOf(missingSuccess: (typeof MISSING_SUCCESS)[number] | undefined, openProblems: WatchedProblem[]) {
  return {
    ...(missingSuccess === undefined ? {} : { missingSuccess }),
    ...(openProblems.length === 0 ? {} : { openProblems }),
  };
}

/** Problems that stand against a conversation now, the gravest first. */
function openProblemsOf({ rules }: AnalysedConversation, headOf: HeadOf): WatchedProblem[] {
  const occurrences = [...rules.values()].flatMap((view) => [...view.occurrences.values()]);
  return occurrences
    .toSorted((one, other) => one.severityRank - other.severityRank)
    .flatMap((occurrence): WatchedProblem[] => {
      const findingId = rootIdOf(occurrence.findingId, headOf);
      const reviewStatus = headOf(findingId)?.reviewStatus;
      const severity = severityOf(occurrence);
      return reviewStatus !== undefined && isOpenProblem({ severity, reviewStatus })
        ? [{ findingId, severity, reviewStatus }]
        : [];
    })
    .slice(0, MAX_WATCHED_PROBLEMS);
}
