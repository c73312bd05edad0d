import type { Api } from '@clew/sdk';

export type Objective = Api.CollectionPolicy['objective'];
export type Outcome = Api.CollectionDecision['outcome'];
type Because = NonNullable<Api.CollectionDecision['because']>;
export type RefusalReason = NonNullable<Api.CollectionDecision['reason']>;

export interface ObjectiveWords {
  readonly title: string;
  readonly text: string;
  /** Things that are looked at. */
  readonly from: 'conversations' | 'items';
  readonly needsModel: boolean;
}

/** Extent of what is replaced in what a Dataset collects. */
export const REDACTION_HINT =
  'E-mail and postal addresses, phone, card and account numbers and keys become placeholders, the same one for the same value; of names, those of speakers and those that a model points out. Other names and your own ids stay.';

/** Things that a Dataset can collect by itself, in plain words. */
export const OBJECTIVES: Readonly<Record<Objective, ObjectiveWords>> = {
  preserve_successful_behavior: {
    title: 'Keep what went well',
    text: 'Takes answers from conversations that succeeded: a good score, a user who confirms, work that was handed in. No model is needed.',
    from: 'conversations',
    needsModel: false,
  },
  correct_failed_conversations: {
    title: 'Correct what went wrong',
    text: 'Takes the step at which a conversation went wrong. The bad answer becomes the rejected one, and a model writes the answer that should have been given.',
    from: 'conversations',
    needsModel: true,
  },
  learn_from_user_corrections: {
    title: 'Learn from corrections by users',
    text: 'Takes answers that a user corrected. The corrected answer is rejected, and a model writes it as the user wanted it.',
    from: 'conversations',
    needsModel: true,
  },
  teach_project_knowledge: {
    title: 'Teach what the project knows',
    text: 'Takes Knowledge items. A model writes a question and the answer that the item gives, and the quotes of the item must bear it.',
    from: 'items',
    needsModel: true,
  },
};

export const OBJECTIVE_IDS = Object.keys(OBJECTIVES) as Objective[];

export const OUTCOMES: Readonly<Record<Outcome, string>> = {
  collected: 'Collected',
  replaced: 'Replaced',
  kept: 'Kept as a person left it',
  stale: 'No longer holds',
  removed_by_hand: 'Deleted by a person',
  refused: 'Refused',
  to_synthesize: 'A model is to write it',
};

export const OUTCOME_IDS = Object.keys(OUTCOMES) as Outcome[];

/** Why something is collected. */
export const BECAUSE: Readonly<Record<Because, string>> = {
  score: 'it has a good score',
  confirmation: 'the user confirmed it',
  closing_tool: 'its last call finished the work',
  confirmed_finding: 'it shows a confirmed Finding',
  grave_finding: 'it shows a grave Finding',
  user_correction: 'the user corrected the answer',
  knowledge_item: 'the Knowledge item is active',
};

/** Why something is not collected. */
export const REFUSALS: Readonly<Record<RefusalReason, string>> = {
  failing_score: 'it has a bad score',
  no_success_signal: 'nothing shows that it succeeded',
  no_answer: 'it has no answer to take',
  open_problem: 'it shows a problem that nobody has dismissed',
  likely_failed: 'it has probably failed',
  not_analysed: 'it has not been analysed',
  conversation_gone: 'the conversation is gone',
  words_expired: 'its words have expired',
  conversation_too_long: 'it is too long',
  example_too_large: 'the Example would be too large',
  example_invalid: 'it makes no valid Example',
  worker_gave_up: 'it could not be looked at',
  no_grave_problem: 'it shows no grave problem',
  no_user_correction: 'the user corrected nothing',
  no_step_to_correct: 'no step stands out to be corrected',
  not_active: 'the Knowledge item is not active',
  item_gone: 'the Knowledge item is gone',
  model_declined: 'the model declined to write it',
  model_failed: 'the model failed',
  equal_to_rejected: 'the model wrote the rejected answer again',
  quotes_not_found: 'its quotes were not found',
  not_grounded: 'the answer is not borne by the quotes',
  unknown_tool: 'the model called a tool that was not offered',
  second_look: 'a second look did not agree',
  collection_off: 'collection was off',
};

export const REFUSAL_IDS = Object.keys(REFUSALS) as RefusalReason[];

/** Reason of a decision or of a preview, in words. */
export function reasonText(reason: Because | RefusalReason): string {
  return reason in BECAUSE ? BECAUSE[reason as Because] : REFUSALS[reason as RefusalReason];
}
