import type { ConversationSnapshot, Detection, Diagnosis, Suspect } from '@clew/contracts';
import { meaningOfScores } from '../conversation/score-meaning.ts';
import { NEGATIVE_SCORE } from '../rules/negative-score/negative-score.ts';
import { viewOf } from '../view/conversation-view.ts';
import { anchoredAtSuspects } from './anchors.ts';
import { featuresOf } from './features.ts';
import { scoreOf } from './score.ts';
import { suspectsOf } from './suspects.ts';
import type { UsualFeatures } from './usual.ts';

/** Judgement of a conversation, with the places where the trouble may have begun. */
export interface ConversationJudgement {
  readonly score: number;
  readonly suspects: Suspect[];
  /** Outcome by the conversation's own scores, with the score that the Rules give without them; absent without any. */
  readonly judged?: NonNullable<Diagnosis['judged']>;
  /** Detections of the Rules, anchored at the suspect that caused them, if any. */
  readonly detections: Detection[];
}

/** Judges a conversation, given the Detections of the Rules and, if known, what is usual in its project. */
export function diagnose(
  snapshot: ConversationSnapshot,
  detections: readonly Detection[],
  usual?: UsualFeatures,
): ConversationJudgement {
  const view = viewOf(snapshot);
  const suspects = suspectsOf(view, detections);
  const failed = failedByScores(snapshot, detections);
  const unscored = detections.filter(({ ruleKey }) => ruleKey !== NEGATIVE_SCORE);
  const withoutScores = () => scoreOf(featuresOf(snapshot, unscored), usual);
  return {
    score: scoreOf(featuresOf(snapshot, detections), usual),
    suspects,
    ...(failed === undefined ? {} : { judged: { failed, score: withoutScores(), startedAt: snapshot.startedAt } }),
    detections: anchoredAtSuspects(view, detections, suspects),
  };
}

/** Whether the conversation failed, as people or evaluators scored it; `undefined` if none of them said so or contrary. */
function failedByScores(snapshot: ConversationSnapshot, detections: readonly Detection[]): boolean | undefined {
  const meanings = new Set(snapshot.scores.map(meaningOfScores(snapshot)));
  if (detections.some(({ ruleKey }) => ruleKey === NEGATIVE_SCORE) || meanings.has('failure')) return true;
  return meanings.has('success') ? false : undefined;
}
