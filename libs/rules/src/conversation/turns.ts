import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import { oncePer } from './once-per.ts';

/** What the agents did between two messages of the user: the user's message is the first, where there is one. */
export interface Turn {
  readonly userMessage: ConversationMessage | undefined;
  /** Messages of agents and tools, in order. */
  readonly messages: readonly ConversationMessage[];
}

/** The conversation in turns. Messages that agents send each other in the user's role begin no turn. */
export const turnsOf: (snapshot: ConversationSnapshot) => readonly Turn[] = oncePer(readTurns);

function readTurns(snapshot: ConversationSnapshot): Turn[] {
  const isFromUser = userMessageTest(snapshot);
  const turns: { userMessage: ConversationMessage | undefined; messages: ConversationMessage[] }[] = [];
  let current: (typeof turns)[number] | undefined;
  for (const message of snapshot.messages) {
    if (message.role === 'system') continue;
    if (isFromUser(message)) {
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

/** Tells the messages of the user from those that an agent sends in the user's role (multi-agent frameworks do). */
export function userMessageTest(snapshot: ConversationSnapshot): (message: ConversationMessage) => boolean {
  const agents = new Set(snapshot.agents);
  for (const message of snapshot.messages) {
    if (message.role === 'assistant' && message.name !== undefined) agents.add(message.name);
  }
  return (message) => message.role === 'user' && (message.name === undefined || !agents.has(message.name));
}

/** The agent that speaks in an assistant message; `the agent` where telemetry names none. */
export function agentOf(snapshot: ConversationSnapshot, message: ConversationMessage): string {
  return message.name ?? snapshot.agents[0] ?? 'the agent';
}

/** Whether a message of a turn says something: any agent's text does, in whichever role it was sent. */
export function hasText(message: ConversationMessage): boolean {
  return message.role !== 'tool' && message.content.trim() !== '';
}
