import type { Conversation } from '@clew/contracts';
import type { Sample, TaughtStatement } from '@clew/seed';
import type { LabelledKnowledge, TaughtLabel } from './knowledge-figures.ts';

/**
 * Labels of a sample, with their places in the conversation that the API returns. Throws if the words of a label are
 * not in the message that it names, because figures with such a label would be meaningless.
 */
export function labelledSample({ conversation: sample }: Sample, read: Conversation): LabelledKnowledge {
  return {
    conversationId: read.id,
    labels: sample.teaches.map((statement) => labelOf(statement, read)),
  };
}

function labelOf({ kind, said }: TaughtStatement, { id, messages }: Conversation): TaughtLabel {
  const places = said.map(({ messageIndex, words, mentions }) => {
    const startChar = messages[messageIndex]?.content.indexOf(words) ?? -1;
    if (startChar === -1) throw new Error(`Message ${messageIndex} of ${id} does not say: ${words}`);
    return { messageIndex, startChar, endChar: startChar + words.length, mentions };
  });
  return { kind, places };
}
