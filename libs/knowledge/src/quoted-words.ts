import type { ConversationMessage } from '@clew/contracts';
import type { ListenerOf } from './listeners.ts';

/** Words of a message on which a statement may rest. */
export interface QuotedWords {
  text: string;
  /** Name of the person or agent who says them, where it is known. */
  speaker?: string | undefined;
  /** Name of the only one who is spoken to, where it is known. */
  listener?: string | undefined;
  /** Time of the message in milliseconds since 1970, against which relative dates are read. */
  atMs?: number | undefined;
}

/** Quote of a message, with its speaker (the name of a tool is nobody's) and whom it speaks to. */
export function quotedWords(
  text: string,
  message: Pick<ConversationMessage, 'role' | 'name' | 'atMs'>,
  listenerOf: ListenerOf = () => undefined,
): QuotedWords {
  const { role, name, atMs } = message;
  const listener = listenerOf(message);
  return {
    ...{ text, atMs },
    ...(role === 'tool' || name === undefined ? {} : { speaker: name }),
    ...(listener === undefined ? {} : { listener }),
  };
}
