import type { ConversationSnapshot, DiagnosedConversation, RefusalReason } from '@clew/contracts';
import { speaksToReaders } from '@clew/knowledge';
import { userCorrectionsIn, type UserCorrection } from '@clew/rules';
import { saysSomething, type Mistake } from './mistake.ts';

const RULE_KEY = 'user_correction';

/**
 * Finds the first mistake that the user corrected in their own words. A correction whose Finding a person dismissed is
 * none, nor is one that speaks to whoever reads the conversation.
 */
export function correctedMistakeIn(
  snapshot: ConversationSnapshot,
  diagnosed: DiagnosedConversation,
): Mistake | RefusalReason {
  const { messages } = snapshot;
  const dismissed = dismissedSteps(diagnosed);
  for (const { corrected, turn, correction } of userCorrectionsIn(snapshot)) {
    const mistaken = mistakenIn(corrected, turn);
    if (mistaken === undefined || speaksToReaders(correction.content)) continue;
    if ([mistaken, corrected, correction].some(({ index }) => dismissed.has(index))) continue;
    const at = messages.findIndex(({ index }) => index === mistaken.index);
    const correctionAt = messages.findIndex(({ index }) => index === correction.index);
    const [message, correcting] = [messages[at], messages[correctionAt]];
    if (message === undefined || correcting === undefined) continue;
    return {
      because: 'user_correction',
      at,
      message,
      problems: [],
      correction: { at: correctionAt, message: correcting },
    };
  }
  return messages.some(({ textExpired }) => textExpired === true) ? 'words_expired' : 'no_user_correction';
}

/** Last words of an assistant in the corrected turn; its last call where only others spoke. */
function mistakenIn(corrected: UserCorrection['corrected'], turn: UserCorrection['turn']) {
  if (corrected.role === 'assistant') return corrected;
  const said = turn.filter((message) => message.role === 'assistant' && saysSomething(message));
  return said.findLast(({ content }) => content.trim() !== '') ?? said.at(-1);
}

function dismissedSteps({ problems }: DiagnosedConversation): ReadonlySet<number> {
  const dismissed = problems.filter(
    ({ ruleKey, reviewStatus }) => ruleKey === RULE_KEY && reviewStatus === 'dismissed',
  );
  return new Set(dismissed.flatMap(({ anchor, location }) => [anchor.stepIndex, location.stepIndex]));
}
