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
import type { CollectingDatasets } from './collecting-datasets.ts';
import type { DecisionDocument } from './decision.model.ts';
import type { DecisionStore, RefusedLook, WantedLook } from './decisions.store.ts';

export interface NoticeChangesDependencies {
  decisions: Pick<DecisionStore, 'want' | 'refuse'>;
  collecting: CollectingDatasets;
  work: Pick<AskedWork<DecisionDocument>, 'wake' | 'rows'>;
  clock: Clock;
}

/**
 * Has every collecting Dataset of a project look at conversations whose Rules have all ended. One that shows no success
 * is not looked at for its success: that is refused at once.
 */
export function createNoticeAnalysed({ decisions, collecting, work, clock }: NoticeChangesDependencies) {
  return async (messages: readonly EnvelopeOf<typeof snapshotAnalysed>[]): Promise<void> => {
    const wanted: WantedLook[] = [];
    const refused: RefusedLook[] = [];
    for (const [projectId, some] of Map.groupBy(messages, (message) => message.projectId)) {
      const datasets = await collecting.fromConversations(projectId);
      if (datasets.length === 0) continue;
      // The latest of several announcements of a conversation holds.
      const analysed = some.flatMap(({ data }) => data.snapshots.filter((each) => each.analysed));
      const latest = new Map(analysed.map((each) => [each.conversationId, each]));
      for (const { datasetId, objective } of datasets)
        for (const { conversationId, snapshotId, missingSuccess } of latest.values()) {
          const subject = { kind: 'conversation' as const, conversationId, snapshotId };
          const look = { projectId, datasetId, objective, subject };
          if (objective !== 'preserve_successful_behavior' || missingSuccess === undefined) wanted.push(look);
          else refused.push({ ...look, reason: missingSuccess });
        }
    }
    const nowMs = clock.now();
    wanted.push(...(await decisions.refuse(refused, nowMs)));
    if (wanted.length === 0) return;
    await decisions.want(wanted, nowMs);
    work.wake();
  };
}

/**
 * Has conversations looked at again that show a Finding whose review has changed since. A message costs one command, in
 * which a Finding that no decision remembers otherwise is one search of an index.
 */
export function createNoticeReviewed({ work, clock }: Pick<NoticeChangesDependencies, 'work' | 'clock'>) {
  return async (messages: readonly EnvelopeOf<typeof findingChanged>[]): Promise<void> => {
    for (const { projectId, data } of messages) {
      const changed = data.findings.map((each) => reviewedOtherwise(projectId, each.findingId, each.reviewStatus));
      await work.rows.makeDue({ $or: changed }, clock.now());
    }
    work.wake();
  };
}

/**
 * Has Knowledge items looked at that are new or were changed: by every Dataset that takes the items of their goal, and
 * by those that have made an Example of them, whatever their filters are by now.
 */
export function createNoticeItems({ decisions, collecting, work, clock }: NoticeChangesDependencies) {
  return async (messages: readonly EnvelopeOf<typeof knowledgeItemChanged>[]): Promise<void> => {
    for (const [projectId, some] of Map.groupBy(messages, (message) => message.projectId)) {
      const items = some.flatMap(({ data }) => data.items);
      const datasets = await collecting.fromItems(projectId);
      const wanted = datasets.flatMap(({ datasetId, objective, goalIds }): WantedLook[] =>
        items
          .filter(({ goalId, status }) => status === 'active' && (goalIds?.includes(goalId) ?? true))
          .map(({ itemId }) => ({ projectId, datasetId, objective, subject: { kind: 'item', itemId } })),
      );
      await decisions.want(wanted, clock.now());
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
