import type { Api } from '@clew/sdk';

const SHOWN = 400;

/** Gist of a message in a few lines: its words, else what it calls, else how it failed. */
export function messageGist(
  message: Pick<Api.ConversationMessage, 'content' | 'toolCalls' | 'error' | 'textExpired'>,
): string {
  const { content, toolCalls = [], error, textExpired } = message;
  const words = content.trim();
  if (words !== '') return words.length > SHOWN ? `${words.slice(0, SHOWN)}…` : words;
  if (toolCalls.length > 0) return `Calls ${toolCalls.map(({ name }) => name).join(', ')}`;
  if (error !== undefined) return `${error.type}: ${error.message}`.slice(0, SHOWN);
  return textExpired === undefined ? 'No words' : 'The words have expired or were never stored.';
}
