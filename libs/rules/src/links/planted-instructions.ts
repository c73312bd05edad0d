import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import { oncePer } from '../conversation/once-per.ts';
import { isTelling } from '../values/value-index.ts';
import { viewOf, type ConversationView, type ViewedCall } from '../view/conversation-view.ts';

/** Text that speaks to whoever reads it of instructions, or of a task that the writer cannot know of. */
const INSTRUCTIONS =
  /\bbefore you (?:can |could |may )?(?:solve|complete|finish|continue|do|answer|start|proceed with)\s(?:\w{1,12}\s){0,2}(?:task|request|question|assignment)\b|\bthe task (?:that )?(?:i|we|you were|the user) (?:gave|assigned|given|asked)\b|\b(?:ignore|disregard|forget|override|bypass)\s(?:\w{1,12}\s){0,3}(?:previous|prior|above|earlier|preceding|former|system|original|your|safety)\s(?:\w{1,12}\s){0,2}(?:instruction|prompt|direction|rule|guideline|message|context|command|polic)|\b(?:new|updated|revised|real|hidden|secret)\s(?:system\s)?(?:instructions?|prompt)\s?:|\byou are now (?:in |an? |the |no longer )|\b(?:do not|don't|never|without)\s(?:tell|mention|inform|telling|informing|reveal|notify|notifying|alert)\w*\s(?:\w{1,12}\s){0,2}(?:user|customer|human|anyone)|<\/?(?:system|im_start|instructions?)\b[^>]{0,40}>|\[\/?(?:INST|SYSTEM)\]|\b(?:attention|important|note)\b[:,!]?\s{1,3}(?:(?:to|for) (?:all |any )?)?(?:ai|llm|assistants?|agents?|language models?|bots?)\b|\b(?:if|when) you(?:'re| are) an? (?:ai|llm|language model|assistant|agent)\b|\b(?:reveal|print|output|repeat|leak|exfiltrate|send)\s(?:\w{1,12}\s){0,3}(?:system prompt|api keys?|credentials|conversation history|your instructions)|\b(?:ignoriere|vergiss|missachte)\s(?:\w{1,12}\s){0,3}(?:anweisungen|instruktionen|regeln)|\b(?:ignore[sz]?|oublie[sz]?)\s(?:\w{1,12}\s){0,3}(?:instructions|consignes)|\b(?:ignora|olvida|ignore|esqueça)\s(?:\w{1,12}\s){0,3}(?:instrucciones|instruções)/i;
/**
 * Hidden text: tag characters, and runs of zero-width characters. A single joiner inside an emoji or a word of another
 * script is legitimate.
 */
const HIDDEN = /[\u{E0020}-\u{E007F}]{4,}|[\u200B\u2060\u2062\u2063\u2064\uFEFF]{6,}/u;
const MAX_READ = 100_000;
const REACH = 800;

/** Instructions to whoever reads a result, or characters in it that people do not see. */
export interface Injection {
  readonly signal: 'instructions_in_result' | 'hidden_characters';
  readonly range: { readonly start: number; readonly end: number };
}

/** Finds the first planted text in a result. */
export const injectionIn: (message: ConversationMessage) => Injection | undefined = oncePer(({ content }) =>
  findInjection(content),
);

function findInjection(content: string): Injection | undefined {
  const head = content.slice(0, MAX_READ);
  const instructions = INSTRUCTIONS.exec(head);
  if (instructions !== null) {
    const start = instructions.index;
    return { signal: 'instructions_in_result', range: { start, end: start + instructions[0].length + 160 } };
  }
  const hidden = HIDDEN.exec(head);
  if (hidden === null) return undefined;
  const start = Math.max(0, hidden.index - 40);
  return { signal: 'hidden_characters', range: { start, end: hidden.index } };
}

/** Beginning of instructions that speak against others; unlike a hint, they may name a tool only to have it called. */
const SPEAKS_AGAINST =
  /^(?:ignore|disregard|forget|override|bypass|ignoriere|vergiss|missachte|ignore[sz]|oublie[sz]?|ignora|olvida|esqueça)\b/i;

/**
 * Finds the first later call that follows the instructions: it has a value that came with them and that nothing before
 * them contains, or its tool is named where they speak against others, and was not called before.
 */
export function followedBy(
  view: ConversationView,
  message: ConversationMessage,
  { range }: Injection,
): ViewedCall | undefined {
  const position = view.positionOf(message);
  const calls = view.calls.filter((call) => call.position > position);
  const usesValue = valueTest(view, message, range);
  const isNamed = toolTest(view, message, range);
  return calls.find((call) => usesValue(call) || isNamed(call));
}

type CallTest = (call: ViewedCall) => boolean;

function valueTest(view: ConversationView, message: ConversationMessage, range: Injection['range']): CallTest {
  const brought = view.values
    .introducedInTextAt(view.positionOf(message))
    .filter((value) => value.kind !== 'number' && isTelling(value))
    .filter((value) => value.start >= range.start && value.start <= range.start + REACH)
    .map(({ key }) => key);
  return ({ leaves }) =>
    leaves.some(({ value }) => typeof value === 'string' && brought.some((key) => value.toLowerCase().includes(key)));
}

function toolTest(view: ConversationView, message: ConversationMessage, { start }: Injection['range']): CallTest {
  const instructions = message.content.slice(start, start + REACH);
  if (!SPEAKS_AGAINST.test(instructions)) return () => false;
  const named = new Set(Array.from(instructions.matchAll(CALLED_FOR), ([, name]) => name));
  const position = view.positionOf(message);
  const before = new Set(view.calls.filter((call) => call.position < position).map(({ toolName }) => toolName));
  return ({ toolName }) => named.has(toolName) && !before.has(toolName);
}

/** Tool that a text tells its reader to call. */
const CALLED_FOR =
  /\b(?:us(?:e|ing)|call(?:ing)?|run(?:ning)?|invok(?:e|ing)|execut(?:e|ing))\s(?:the\s|tool\s|function\s){0,2}["'`“]?([\p{L}\p{N}_]{1,60}(?:[.-][\p{L}\p{N}_]{1,60}){0,4})/giu;

/** Calls that follow planted instructions: what becomes of them is no work for the user. */
export const callsOfPlanted: (snapshot: ConversationSnapshot) => ReadonlySet<ConversationMessage> = oncePer(
  (snapshot) => {
    const view = viewOf(snapshot);
    const followed = view.messages.flatMap((message) => {
      const found = message.role === 'tool' ? injectionIn(message) : undefined;
      const call = found?.signal === 'instructions_in_result' ? followedBy(view, message, found) : undefined;
      return call?.result === undefined ? [] : [call.result];
    });
    return new Set(followed);
  },
);
