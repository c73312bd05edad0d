import type { ConversationSnapshot, Detection, Suspect } from '@clew/contracts';
import { viewOf } from '../view/conversation-view.ts';
import { anchoredAtSuspects } from './anchors.ts';
import { conversationScore } from './score.ts';
import { suspectsOf } from './suspects.ts';

/** How a conversation went, and where the trouble may have begun. */
export interface ConversationJudgement {
  readonly score: number;
  readonly suspects: Suspect[];
  /** What the Rules found, anchored at the suspect where what they found goes back to one. */
  readonly detections: Detection[];
}

/** Judges a conversation, given what Rules found in it. */
export function diagnose(snapshot: ConversationSnapshot, detections: readonly Detection[]): ConversationJudgement {
  const view = viewOf(snapshot);
  const suspects = suspectsOf(view, detections);
  return {
    score: conversationScore(view, detections),
    suspects,
    detections: anchoredAtSuspects(view, detections, suspects),
  };
}
