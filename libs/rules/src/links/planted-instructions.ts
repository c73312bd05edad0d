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

/** Finds the first later call with a value that came with the instructions, and that nothing before them contains. */
export function followedBy(
  view: ConversationView,
  message: ConversationMessage,
  { range }: Injection,
): ViewedCall | undefined {
  const position = view.positionOf(message);
  const brought = view.values
    .introducedInTextAt(position)
    .filter((value) => value.kind !== 'number' && isTelling(value))
    .filter((value) => value.start >= range.start && value.start <= range.start + REACH)
    .map(({ key }) => key);
  if (brought.length === 0) return undefined;
  return view.calls.find(
    (call) =>
      call.position > position &&
      call.leaves.some(
        ({ value }) => typeof value === 'string' && brought.some((key) => value.toLowerCase().includes(key)),
      ),
  );
}

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
