import type { MessageOrigin } from '@clew/contracts';
import { lookedUpBy, lookedUpTexts } from '../dialects/index.ts';
import type { Entry } from './entry.ts';
import { MAX_COMPARED_CHARACTERS, MAX_LOOKED_UP_TEXTS } from './limits.ts';
import type { SpanNode } from './span-index.ts';

/** Origins of messages that were retrieved or recalled. */
export interface MessageOrigins {
  /** Origin of a tool run's result: the tool looks something up, or a span inside it does. */
  ofRun(node: SpanNode): MessageOrigin | undefined;
  /** Marks the messages that contain a text which was looked up before they were said. */
  mark(entries: readonly Entry[]): void;
}

/** Beginning of a text that was looked up, in the forms that occur in messages. */
interface LookedUp {
  origin: MessageOrigin;
  /** Start of the lookup. */
  startNs: bigint;
  /** Forms of the text: plain, and as in JSON text. */
  forms: readonly string[];
  /** True if the text is too short to prove anything as only a part of a message. */
  isShort: boolean;
}

/** Origins by precedence: recalled is more specific than retrieved. */
const ORIGINS: readonly MessageOrigin[] = ['recalled', 'retrieved'];
/** Length of a text that is searched for: applications shorten documents. */
const COMPARED_LENGTH = 200;
const SHORT_LENGTH = 20;

/** Finds the origins of messages. Expects the nodes by start time. */
export function messageOrigins(nodes: readonly SpanNode[]): MessageOrigins {
  const sources = nodes.flatMap((node) => {
    const origin = lookedUpBy(node.span, node.facts);
    return origin === undefined ? [] : [{ node, origin }];
  });
  const runs = new Map<SpanNode, MessageOrigin>();
  for (const wanted of ORIGINS) {
    const seen = new Set<SpanNode>();
    for (const { node, origin } of sources) if (origin === wanted) markAround(node, origin, { runs, seen });
  }
  return {
    ofRun: (node) => runs.get(node),
    mark(entries) {
      if (sources.length > 0) markEntries(entries, lookedUpIn(sources));
    },
  };
}

/** Marks the tool runs around a span with its origin, up to a model call or an agent. */
function markAround(
  start: SpanNode,
  origin: MessageOrigin,
  { runs, seen }: { runs: Map<SpanNode, MessageOrigin>; seen: Set<SpanNode> },
): void {
  let node: SpanNode | undefined = start;
  while (node !== undefined && !seen.has(node)) {
    seen.add(node);
    if (node.facts.kind === 'model_call' || node.facts.kind === 'agent') return;
    if (node.facts.kind === 'tool_call' && !runs.has(node)) runs.set(node, origin);
    node = node.parent;
  }
}

/** Collects each text once per origin, from its first lookup. */
function lookedUpIn(sources: readonly { node: SpanNode; origin: MessageOrigin }[]): LookedUp[] {
  const found = new Map<string, LookedUp>();
  for (const wanted of ORIGINS) {
    for (const { node, origin } of sources) {
      if (origin !== wanted || node.facts.kind === 'tool_call') continue;
      for (const whole of lookedUpTexts(node.span)) {
        const text = whole.trim().slice(0, COMPARED_LENGTH);
        const key = `${origin} ${text}`;
        if (text === '' || found.has(key)) continue;
        if (found.size === MAX_LOOKED_UP_TEXTS) return [...found.values()];
        const isShort = text.length < SHORT_LENGTH;
        found.set(key, { origin, startNs: node.startNs, forms: formsOf(text), isShort });
      }
    }
  }
  return [...found.values()];
}

function formsOf(text: string): string[] {
  const quoted = JSON.stringify(text).slice(1, -1);
  return quoted === text ? [text] : [text, quoted];
}

function markEntries(entries: readonly Entry[], texts: readonly LookedUp[]): void {
  let left = MAX_COMPARED_CHARACTERS;
  for (const entry of entries) {
    const { role, content } = entry.message;
    // A model's rendering of a text is its own.
    if (role === 'assistant' || entry.source !== undefined || content === '') continue;
    const cost = texts.length * content.length;
    if (cost > left) continue;
    left -= cost;
    const found = texts.find((text) => text.startNs <= entry.origin.timeNs && isIn(content, text));
    if (found !== undefined) entry.source = found.origin;
  }
}

function isIn(content: string, { forms, isShort }: LookedUp): boolean {
  return isShort ? content.trim() === forms[0] : forms.some((form) => content.includes(form));
}
