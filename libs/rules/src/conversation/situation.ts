import type { ConversationSnapshot, Offered, Situation } from '@clew/contracts';
import { oncePer } from './once-per.ts';

/** Limits on what is named of a conversation; what is left out counts as not offered. */
const MAX_AGENTS = 10;
const MAX_TOOLS = 50;
const MAX_TOOLS_OF_SITUATION = 12;
const MAX_NAME_LENGTH = 200;

/** Agents that speak in a conversation, and tools that they call. */
export const offeredIn: (snapshot: ConversationSnapshot) => Offered = oncePer(({ agents, messages }) => ({
  agents: names(
    [...agents, ...messages.flatMap(({ role, name }) => (role === 'assistant' && name !== undefined ? [name] : []))],
    MAX_AGENTS,
  ),
  tools: names(
    messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ name }) => name)),
    MAX_TOOLS,
  ),
}));

/**
 * Agent and tools that the signature of a problem names. A tool that was called without being declared is none: after
 * its repair, nobody calls it.
 */
export function situationOf(snapshot: ConversationSnapshot, signatureNames: readonly string[]): Situation | undefined {
  const offered = offeredIn(snapshot);
  const declared = new Set(snapshot.tools.map(({ name }) => name));
  const named = new Set(signatureNames);
  const agent = offered.agents.find((name) => named.has(name));
  const tools = offered.tools
    .filter((name) => named.has(name) && (declared.size === 0 || declared.has(name)))
    .slice(0, MAX_TOOLS_OF_SITUATION);
  if (agent === undefined && tools.length === 0) return undefined;
  return { ...(agent === undefined ? {} : { agent }), ...(tools.length === 0 ? {} : { tools }) };
}

/** Tells whether a conversation offered the situation of a problem. */
export function offersSituation(situation: Situation | undefined, offered: Offered | undefined): boolean {
  if (situation === undefined) return true;
  const { agent, tools } = situation;
  if (agent !== undefined && !offered?.agents.includes(agent)) return false;
  return tools === undefined || tools.some((name) => offered?.tools.includes(name));
}

function names(all: readonly string[], limit: number): string[] {
  const fit = new Set(all.filter((name) => name !== '' && name.length <= MAX_NAME_LENGTH && name.isWellFormed()));
  return [...fit].slice(0, limit).sort();
}
