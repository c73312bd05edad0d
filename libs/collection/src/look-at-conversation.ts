import type { CollectionObjective, ConversationSnapshot, DiagnosedConversation } from '@clew/contracts';
import { refused, type CollectOptions, type Look } from './decision.ts';
import { mistakeIn, synthesisOf } from './mistakes/index.ts';
import { preserve } from './preserve.ts';

/**
 * Decides, without a model, what a Dataset collects from a conversation for its objective: an Example at once, or a
 * response that a model is to write in the place of a mistake.
 */
export function lookAtConversation(
  objective: CollectionObjective,
  snapshot: ConversationSnapshot,
  diagnosed: DiagnosedConversation | undefined,
  options: CollectOptions,
): Look {
  if (objective === 'preserve_successful_behavior') return preserve(snapshot, diagnosed, options);
  const mistake = mistakeIn(objective, snapshot, diagnosed);
  if (typeof mistake === 'string') return refused(mistake);
  const { datasetId } = options;
  return { status: 'to_synthesize', ...synthesisOf(mistake, snapshot, { datasetId, objective }) };
}
