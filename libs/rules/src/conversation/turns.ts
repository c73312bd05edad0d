import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import { oncePer } from './once-per.ts';

/** Actions of the agents between two messages of the user, with the user's message that begins the turn, if any. */
export interface Turn {
  readonly userMessage: ConversationMessage | undefined;
  /** Messages of agents and tools, in order. */
  readonly messages: readonly ConversationMessage[];
}

/** Splits the conversation into turns. Messages that agents send each other in the user's role begin no turn. */
export const turnsOf: (snapshot: ConversationSnapshot) => readonly Turn[] = oncePer(readTurns);

function readTurns(snapshot: ConversationSnapshot): Turn[] {
  const isFromUser = userMessageTest(snapshot);
  const turns: { userMessage: ConversationMessage | undefined; messages: ConversationMessage[] }[] = [];
  let current: (typeof turns)[number] | undefined;
  for (const message of snapshot.messages) {
    if (message.role === 'system') continue;
    if (isFromUser(message)) {
      if (isRepetition(message, current)) continue;
      current = { userMessage: message, messages: [] };
      turns.push(current);
      continue;
    }
    if (current === undefined) {
      current = { userMessage: undefined, messages: [] };
      turns.push(current);
    }
    current.messages.push(message);
  }
  return turns;
}

/**
 * Tells whether a message only repeats the request while the agent is still at work on it. Frameworks do so after the
 * result of a tool, to keep the request before text that the tool returned.
 */
function isRepetition({ content }: ConversationMessage, turn: Turn | undefined): boolean {
  return turn?.messages.at(-1)?.role === 'tool' && turn.userMessage?.content === content;
}

/**
 * Distinguishes messages of the user from those that an agent sends in the user's role, as multi-agent frameworks do.
 */
export function userMessageTest(snapshot: ConversationSnapshot): (message: ConversationMessage) => boolean {
  const agents = new Set(snapshot.agents);
  for (const message of snapshot.messages) {
    if (message.role === 'assistant' && message.name !== undefined) agents.add(message.name);
  }
  return (message) => message.role === 'user' && (message.name === undefined || !agents.has(message.name));
}

/** Returns the agent that speaks in an assistant message; `the agent` if telemetry names none. */
export function agentOf(snapshot: ConversationSnapshot, message: ConversationMessage): string {
  return message.name ?? snapshot.agents[0] ?? 'the agent';
}

/** Tells whether a message of a turn contains text by the user or any agent, in whichever role it was sent. */
export function hasText(message: ConversationMessage): boolean {
  return message.role !== 'tool' && message.content.trim() !== '';
}
