import type { ConversationSnapshot, Detection, Suspect } from '@clew/contracts';
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
  return {
    score: scoreOf(featuresOf(snapshot, detections), usual),
    suspects,
    detections: anchoredAtSuspects(view, detections, suspects),
  };
}
