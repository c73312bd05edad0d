interface Message {
  role: string;
  content: string;
}

const MAX_CHARACTERS = 200;

/** Beginning of what a list shows of a conversation: its first words of a user, or else those of its first message. */
export function previewOf(messages: readonly Message[]): string {
  const first = messages.find(({ role, content }) => role === 'user' && content !== '') ?? messages[0];
  return (first?.content ?? '').slice(0, MAX_CHARACTERS).toWellFormed();
}
