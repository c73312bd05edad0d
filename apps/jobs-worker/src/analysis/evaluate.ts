import type { analysisCompleted, ConversationSnapshot, Detection, EnvelopeOf, Offered } from '@clew/contracts';
import { conclude, evaluatedSnapshotOf, runRule, type RuleDefinition, type Success } from '@clew/rules';
import type { Logger } from '@clew/runtime';
import type { AnalysisCommand } from './command.ts';

/** Result for one conversation, as the completed message carries it. */
export type SentResult = EnvelopeOf<typeof analysisCompleted>['data']['conversations'][number];

/** The same result with what the conversation offers, which the message carries once for those that are alike. */
export type ConversationResult = Omit<SentResult, 'snapshot'> & {
  snapshot: (Omit<NonNullable<SentResult['snapshot']>, 'offered'> & { offered?: Offered }) | null;
};

/** Result of a conversation, and the success that it shows if it is whole. */
export interface Evaluated {
  result: ConversationResult;
  success: Success | undefined;
}

interface Evaluation {
  logger: Logger;
  /** Lets other tasks of the process run if a pause is due; called after each Rule. */
  pause(): Promise<void>;
}

/** Evaluates the Rules of a command on one snapshot; the failure of one Rule is reported for that Rule only. */
export function createEvaluate(known: readonly RuleDefinition[]) {
  const ruleById = new Map(known.map((rule) => [rule.ruleId, rule]));
  return async (
    rules: AnalysisCommand['data']['rules'],
    snapshot: ConversationSnapshot,
    { logger, pause }: Evaluation,
  ): Promise<Evaluated> => {
    const { conversationId, snapshotId } = snapshot;
    const found: Detection[] = [];
    const failed: { ruleId: string; reason: string }[] = [];
    const skipped: { ruleId: string; reason: string }[] = [];
    for (const { ruleId, ...asked } of rules) {
      const rule = ruleById.get(ruleId);
      if (rule === undefined) {
        skipped.push({ ruleId, reason: 'This worker does not know the rule' });
        continue;
      }
      const outcome = runRule(rule, snapshot, asked);
      if (outcome.status === 'succeeded') found.push(...outcome.detections);
      if (outcome.status === 'skipped') skipped.push({ ruleId, reason: outcome.reason });
      if (outcome.status === 'failed') {
        logger.error({ err: outcome.error, ruleKey: rule.ruleKey, snapshotId }, 'a rule failed');
        failed.push({ ruleId, reason: outcome.reason });
      }
      await pause();
    }
    const { diagnosis, detections, success, error } = conclude(snapshot, found);
    if (error !== undefined) logger.error({ err: error, snapshotId }, 'a conversation could not be judged');
    const result: ConversationResult = {
      ...{ conversationId, snapshotId, snapshot: evaluatedSnapshotOf(snapshot) },
      ...(diagnosis === undefined ? {} : { diagnosis }),
      ...(success !== undefined && 'missing' in success ? { missingSuccess: success.missing } : {}),
      ...(detections.length === 0 ? {} : { detections }),
      ...(failed.length === 0 ? {} : { failed }),
      ...(skipped.length === 0 ? {} : { skipped }),
    };
    return { result, success };
  };
}
