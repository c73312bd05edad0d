import type { mongo } from 'mongoose';
import type {
  EnvelopeOf,
  findingChanged,
  knowledgeItemChanged,
  snapshotAnalysed,
  WatchedProblem,
} from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { AskedWork } from '@clew/persistence';
import type { createAskAtOnce } from './ask-at-once.ts';
import type { CollectingDatasets } from './collecting-datasets.ts';
import type { DecisionDocument } from './decision.model.ts';
import type { LookStore, RefusedLook, WantedLook } from './looks.store.ts';
import { isReviewed, type Reviews } from './reviews.ts';

export interface NoticeChangesDependencies {
  looks: Pick<LookStore, 'want' | 'refuse'>;
  collecting: CollectingDatasets;
  reviews: Reviews;
  work: Pick<AskedWork<DecisionDocument>, 'wake' | 'rows'>;
  clock: Clock;
}

export interface NoticeAnalysedDependencies extends NoticeChangesDependencies {
  askAtOnce: ReturnType<typeof createAskAtOnce>;
}

type AnalysedSnapshot = EnvelopeOf<typeof snapshotAnalysed>['data']['snapshots'][number];

/**
 * Has every collecting Dataset of a project look at conversations whose Rules have all ended. One that shows no
 * success, or against which a problem stands, is not looked at for its success: that is refused at once.
 */
export function createNoticeAnalysed(dependencies: NoticeAnalysedDependencies) {
  const { looks, collecting, reviews, work, clock, askAtOnce } = dependencies;
  return async (messages: readonly EnvelopeOf<typeof snapshotAnalysed>[]): Promise<void> => {
    const nowMs = clock.now();
    const wanted: WantedLook[] = [];
    const refused: RefusedLook[] = [];
    for (const [projectId, some] of Map.groupBy(messages, (message) => message.projectId)) {
      const datasets = await collecting.fromConversations(projectId);
      if (datasets.length === 0) continue;
      // The latest of several announcements of a conversation holds.
      const analysed = some.flatMap(({ data }) => data.snapshots.filter((each) => each.analysed));
      const latest = new Map(analysed.map((each) => [each.conversationId, each]));
      const own: WantedLook[] = [];
      for (const { datasetId, objective } of datasets)
        for (const snapshot of latest.values()) {
          const { conversationId, snapshotId } = snapshot;
          const subject = { kind: 'conversation' as const, conversationId, snapshotId };
          const look = { projectId, datasetId, objective, subject };
          const refusal = objective === 'preserve_successful_behavior' ? refusalOf(snapshot) : undefined;
          if (refusal === undefined) own.push(look);
          else refused.push({ ...look, ...refusal });
        }
      const byId = new Map(datasets.map((each) => [each.datasetId, each]));
      wanted.push(...(await askAtOnce(projectId, own, { datasets: byId, nowMs })));
    }
    wanted.push(...(await looks.refuse(refused, nowMs)));
    // Only after the write: from then on a review finds the decision itself.
    const isReviewedOtherwise = await reviews.among(refused.flatMap(({ problems }) => problems));
    wanted.push(...refused.filter(({ problems }) => problems.some(isReviewedOtherwise)));
    if (wanted.length === 0) return;
    await looks.want(wanted, nowMs);
    work.wake();
  };
}

/** Why a conversation is no success, if its analysis tells. */
function refusalOf({
  missingSuccess,
  openProblems,
}: AnalysedSnapshot): Pick<RefusedLook, 'reason' | 'problems'> | undefined {
  if (missingSuccess !== undefined) return { reason: missingSuccess, problems: [] };
  return openProblems === undefined ? undefined : { reason: 'open_problem', problems: openProblems };
}

/**
 * Has conversations looked at again that show a Finding whose review has changed since. A message costs one command, in
 * which a Finding that no decision remembers otherwise is one search of an index.
 */
export function createNoticeReviewed({
  reviews,
  work,
  clock,
}: Pick<NoticeChangesDependencies, 'reviews' | 'work' | 'clock'>) {
  return async (messages: readonly EnvelopeOf<typeof findingChanged>[]): Promise<void> => {
    for (const { projectId, data } of messages) {
      const reviewed = data.findings.filter(isReviewed);
      if (reviewed.length === 0) continue;
      await reviews.note(projectId, reviewed, clock.now());
      const changed = reviewed.map((each) => reviewedOtherwise(projectId, each.findingId, each.reviewStatus));
      await work.rows.makeDue({ $or: changed }, clock.now());
    }
    work.wake();
  };
}

/**
 * Has Knowledge items looked at that are new or were changed: by every Dataset that takes the items of their goal, and
 * by those that have made an Example of them, whatever their filters are by now.
 */
export function createNoticeItems({ looks, collecting, work, clock }: NoticeChangesDependencies) {
  return async (messages: readonly EnvelopeOf<typeof knowledgeItemChanged>[]): Promise<void> => {
    for (const [projectId, some] of Map.groupBy(messages, (message) => message.projectId)) {
      const items = some.flatMap(({ data }) => data.items);
      const datasets = await collecting.fromItems(projectId);
      const wanted = datasets.flatMap(({ datasetId, objective, goalIds }): WantedLook[] =>
        items
          .filter(({ goalId, status }) => status === 'active' && (goalIds?.includes(goalId) ?? true))
          .map(({ itemId }) => ({ projectId, datasetId, objective, subject: { kind: 'item', itemId } })),
      );
      await looks.want(wanted, clock.now());
      const itemIds = [...new Set(items.map(({ itemId }) => itemId))];
      await work.rows.makeDue(changedItems(projectId, itemIds), clock.now());
    }
    work.wake();
  };
}

/** Filter for decisions that remember another review of a Finding. */
export function reviewedOtherwise(
  projectId: string,
  findingId: string,
  reviewStatus: WatchedProblem['reviewStatus'],
): mongo.Filter<DecisionDocument> {
  return {
    projectId,
    'problems.findingId': findingId,
    problems: { $elemMatch: { findingId, reviewStatus: { $ne: reviewStatus } } },
  };
}

/** Filter for decisions on items. */
export function changedItems(projectId: string, itemIds: string[]): mongo.Filter<DecisionDocument> {
  return { projectId, itemId: { $in: itemIds } };
}
