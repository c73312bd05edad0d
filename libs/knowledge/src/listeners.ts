import type { ConversationMessage } from '@clew/contracts';

type Spoken = Pick<ConversationMessage, 'role' | 'name'>;

/** Gives the name of the person whom a message speaks to, where that is known. */
export type ListenerOf = (message: Spoken) => string | undefined;

/** Finds whom messages speak to: where exactly two speak, each speaks to the other. */
export function listenersIn(messages: readonly Spoken[]): ListenerOf {
  const speakers = new Map(
    messages.filter(({ role }) => role === 'user' || role === 'assistant').map((said) => [speakerKeyOf(said), said]),
  );
  if (speakers.size !== 2) return () => undefined;
  return (message) => {
    const own = speakerKeyOf(message);
    const other = [...speakers].find(([key]) => key !== own);
    return speakers.has(own) ? other?.[1].name : undefined;
  };
}

function speakerKeyOf({ role, name = '' }: Spoken): string {
  return `${role} ${name}`;
}
