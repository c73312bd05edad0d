import type { ConversationMessage } from '@clew/contracts';

/** Words of a message on which a statement may rest. */
export interface QuotedWords {
  text: string;
  /** Name of the person or agent who says them, where it is known. */
  speaker?: string | undefined;
  /** Time of the message in milliseconds since 1970, against which relative dates are read. */
  atMs?: number | undefined;
}

/** Quote of a message, with its speaker: the name of a tool is nobody's. */
export function quotedWords(
  text: string,
  { role, name, atMs }: Pick<ConversationMessage, 'role' | 'name' | 'atMs'>,
): QuotedWords {
  return { text, atMs, ...(role === 'tool' || name === undefined ? {} : { speaker: name }) };
}
