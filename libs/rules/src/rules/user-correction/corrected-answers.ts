import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import { messageSentences } from '../../conversation/message-sentences.ts';
import { hasText, turnsOf, type Turn } from '../../conversation/turns.ts';
import type { SignalHit } from '../../rule.ts';
import { compilePhrases, findPhrase, type PhraseSet } from '../../text/phrases.ts';
import type { Sentence } from '../../text/sentences.ts';
import { MISTAKE_ADMITTED } from '../../vocabulary/corrections.ts';
import { correctionIn, type Correction } from './correction.ts';

/** Answer that the user corrects in the next message, and how clear that is. */
export interface CorrectedAnswer {
  /** Turn whose answer is corrected. */
  readonly previous: Turn;
  readonly corrected: ConversationMessage;
  readonly userMessage: ConversationMessage;
  readonly correction: Correction;
  /** Sentence of the next answer that admits the mistake. */
  readonly admission: { readonly message: ConversationMessage; readonly sentence: Sentence } | undefined;
  readonly signals: readonly SignalHit[];
}

const ADMITTED = compilePhrases(MISTAKE_ADMITTED);
const MAX_ADMISSION_SENTENCE = 3;

/** Finds the answers of agents that the user corrects, in order, also those of which that is doubtful. */
export function correctedAnswersIn(snapshot: ConversationSnapshot, keywords: PhraseSet): CorrectedAnswer[] {
  const turns = turnsOf(snapshot);
  return turns.flatMap((turn, index): CorrectedAnswer[] => {
    const previous = turns[index - 1];
    const corrected = previous?.messages.findLast(hasText);
    const { userMessage } = turn;
    if (previous === undefined || corrected === undefined || userMessage === undefined) return [];
    const correction = correctionIn(userMessage, corrected, keywords);
    if (correction === undefined) return [];
    const admission = admissionIn(turn);
    const signals = [
      { name: correction.signal, strength: correction.strength },
      ...(admission === undefined ? [] : [{ name: 'mistake_admitted', strength: 1 }]),
    ];
    return [{ previous, corrected, userMessage, correction, admission, signals }];
  });
}

function admissionIn(turn: Turn): CorrectedAnswer['admission'] {
  const message = turn.messages.find(hasText);
  if (message === undefined) return undefined;
  const sentence = messageSentences(message)
    .slice(0, MAX_ADMISSION_SENTENCE)
    .find((candidate) => findPhrase(ADMITTED, candidate) !== undefined);
  return sentence && { message, sentence };
}
