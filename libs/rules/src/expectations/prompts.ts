import type { ConversationSnapshot } from '@clew/contracts';
import { promptHash } from './grammar/prompt-hash.ts';

/** System prompt of a conversation, as input for compiling. */
export interface ConversationPrompt {
  readonly text: string;
  readonly promptHash: string;
  /** Agent that the prompt belongs to, if several agents speak. */
  readonly agent?: string;
  /** Names of the tools that were offered or called. */
  readonly tools: readonly string[];
}

/** Maximum number of prompts per conversation; the first ones count. */
const MAX_PROMPTS = 20;
/** A longer prompt is more likely a document than instructions. */
const MAX_PROMPT_LENGTH = 50_000;
const MAX_TOOLS = 200;
const MAX_NAME_LENGTH = 200;
const MAX_KNOWN = 50;

/** Hashes by text: one prompt opens many conversations, and its hash is the most expensive step here. */
const knownHashes = new Map<string, string>();

/**
 * Finds the system prompts of a conversation. If several agents speak, a prompt belongs to the one that answers in its
 * span. A prompt whose agent is unknown is left out, because it would be applied to all agents.
 */
export function promptsOf(snapshot: ConversationSnapshot): ConversationPrompt[] {
  const texts = snapshot.messages.filter(
    ({ role, content }) => role === 'system' && content.trim() !== '' && content.length <= MAX_PROMPT_LENGTH,
  );
  if (texts.length === 0) return [];
  const tools = toolNames(snapshot);
  const answering = answeringAgents(snapshot);
  const areSeveral = new Set([...snapshot.agents, ...answering.values()]).size > 1;
  const prompts = new Map<string, ConversationPrompt>();
  for (const { content, spanId } of texts) {
    const agent = answering.get(spanId);
    if (areSeveral && agent === undefined) continue;
    const hash = hashOf(content);
    const prompt = { text: content, promptHash: hash, tools, ...(areSeveral && agent !== undefined ? { agent } : {}) };
    prompts.set(`${hash} ${prompt.agent ?? ''}`, prompt);
    if (prompts.size === MAX_PROMPTS) break;
  }
  return [...prompts.values()];
}

/** Maps each span to the agent that answers in it. */
function answeringAgents({ messages }: ConversationSnapshot): Map<string, string> {
  return new Map(
    messages.flatMap(({ role, name, spanId }) => {
      const isNamed = role === 'assistant' && name !== undefined && isLine(name);
      return isNamed ? [[spanId, name] as const] : [];
    }),
  );
}

function toolNames({ messages, tools }: ConversationSnapshot): string[] {
  const called = messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ name }) => name));
  const names = new Set([...tools.map(({ name }) => name), ...called].filter(isLine));
  return [...names].slice(0, MAX_TOOLS).sort();
}

/** Tells whether a name can be used in a check. */
function isLine(name: string): boolean {
  return (
    name !== '' &&
    name.length <= MAX_NAME_LENGTH &&
    name.trim() === name &&
    !/\p{Cc}/u.test(name) &&
    name.isWellFormed()
  );
}

function hashOf(text: string): string {
  const hash = knownHashes.get(text) ?? promptHash(text);
  // Evicts the least recently used hash.
  knownHashes.delete(text);
  knownHashes.set(text, hash);
  if (knownHashes.size > MAX_KNOWN) knownHashes.delete(knownHashes.keys().next().value ?? '');
  return hash;
}
