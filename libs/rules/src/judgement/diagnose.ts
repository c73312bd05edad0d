import type { ConversationSnapshot, Detection, Suspect } from '@clew/contracts';
import { viewOf } from '../view/conversation-view.ts';
import { anchoredAtSuspects } from './anchors.ts';
import { conversationScore } from './score.ts';
import { suspectsOf } from './suspects.ts';

/** Judgement of a conversation, with the places where the trouble may have begun. */
export interface ConversationJudgement {
  readonly score: number;
  readonly suspects: Suspect[];
  /** Detections of the Rules, anchored at the suspect that caused them, if any. */
  readonly detections: Detection[];
}

/** Judges a conversation, given the Detections of the Rules. */
export function diagnose(snapshot: ConversationSnapshot, detections: readonly Detection[]): ConversationJudgement {
  const view = viewOf(snapshot);
  const suspects = suspectsOf(view, detections);
  return {
    score: conversationScore(view, detections),
    suspects,
    detections: anchoredAtSuspects(view, detections, suspects),
  };
}
