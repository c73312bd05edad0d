import type {
  CollectionObjective,
  ConversationSnapshot,
  DiagnosedConversation,
  RefusalReason,
  Synthesis,
} from '@clew/contracts';
import { basisOf, derivationKeyOf, messageHashOf } from '../derivation.ts';
import { correctedMistakeIn } from './corrected-mistake.ts';
import { graveMistakeIn } from './grave-mistake.ts';
import { saysSomething, type Mistake } from './mistake.ts';

type FindMistake = (snapshot: ConversationSnapshot, diagnosed: DiagnosedConversation) => Mistake | RefusalReason;

const FIND_MISTAKE: Partial<Record<CollectionObjective, FindMistake>> = {
  correct_failed_conversations: graveMistakeIn,
  learn_from_user_corrections: correctedMistakeIn,
};

/** Finds the mistake of a conversation that an objective is about, or the reason why there is none to correct. */
export function mistakeIn(
  objective: CollectionObjective,
  snapshot: ConversationSnapshot,
  diagnosed: DiagnosedConversation | undefined,
): Mistake | RefusalReason {
  if (diagnosed === undefined) return 'not_analysed';
  if (snapshot.truncated) return 'conversation_too_long';
  const mistake = FIND_MISTAKE[objective]?.(snapshot, diagnosed) ?? 'no_step_to_correct';
  if (typeof mistake === 'string') return mistake;
  const shown = snapshot.messages.slice(0, mistake.at + 1);
  if (shown.some(({ textExpired }) => textExpired === true)) return 'words_expired';
  return shown.slice(0, -1).some(saysSomething) ? mistake : 'no_step_to_correct';
}

/** Response that a model is to write in the place of a mistake. */
export function synthesisOf(
  { because, at, message, problems, correction }: Mistake,
  { conversationId, messages }: ConversationSnapshot,
  { datasetId, objective }: { datasetId: string; objective: CollectionObjective },
): Synthesis {
  const shown = messages.slice(0, at + 1);
  const derivationKey = derivationKeyOf({ datasetId, objective, conversationId, messages: shown });
  const shownBy = [
    ...problems.map(({ findingId }) => findingId),
    ...(correction === undefined ? [] : [messageHashOf(correction.message)]),
  ];
  return { because, stepIndex: message.index, derivationKey, basis: basisOf([derivationKey, shownBy]) };
}
