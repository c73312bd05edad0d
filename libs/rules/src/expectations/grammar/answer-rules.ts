import type { ExpectationCheck } from '@clew/contracts';
import { withoutTrailing } from '@clew/kernel';
import { resolveAction } from './actions.ts';
import { isConditional, type Clause } from './canonical.ts';
import type { Production } from './draft.ts';

const Q = '«\\d»';
const QUOTES = `${Q}(?:(?:,| or|, or| and|, and|/) ?${Q})*`;
const ANSWER = '(?:repl(?:y|ies)|responses?|messages?|answers?|outputs?|sentences?)';
const EVERY_ANSWER = `(?:every|each|all|any|your)(?: of your)?(?: single)? ${ANSWER}`;

const NEVER_SAY = new RegExp(
  `^never (?:say|write|use|mention|utter|include|output|reply with|answer with|respond with|type)(?:ing|ning)? (?:the |any |a )?(?:(?:following )?(?:exact )?(?:word|phrase|term|expression|sentence)s? |(?:[a-z]+ ){0,3}(?:such as|like|for example|e\\.g\\.) )?(?<quotes>${QUOTES})(?: in (?:your|any|an?) ${ANSWER})?$`,
);
const NEVER_PHRASE = new RegExp(
  `^never (?:the |any )?(?:(?:word|phrase|term|expression|sentence)s? )?(?:like |such as )?(?<quotes>${QUOTES})$`,
);
const NEVER_START = new RegExp(
  `^never (?:start|begin|open)(?:ing)? (?:(?:an?|your|any|every|each)? ?${ANSWER} )?with (?:the (?:word|phrase)s? )?(?<quotes>${QUOTES})$`,
);
const START_WITH = new RegExp(`^(?:start|begin|open) ${EVERY_ANSWER} with (?:the (?:words?|phrase) )?(?<quotes>${Q})$`);
const END_EVERY_WITH = new RegExp(
  `^(?:end|finish|close|conclude) ${EVERY_ANSWER} with (?:the (?:words?|phrase|sentence|line|disclaimer|question) )?(?<quotes>${Q})$`,
);
const INCLUDE = new RegExp(
  `^(?:include|add|state|append) (?:the (?:words?|phrase|sentence|line|disclaimer|text) )?(?<quotes>${Q}) (?:in|to|at the end of|at the beginning of) ${EVERY_ANSWER}$`,
);
const ONLY_ANSWER = new RegExp(
  `^(?:only (?:answer|respond|reply) with(?: either)?|(?:answer|respond|reply) (?:only with(?: either)?|with either|with nothing but)) (?<quotes>${QUOTES})$`,
);
const JSON_ONLY =
  /^(?:only )?(?:respond|reply|answer|output|return)(?: only)? (?:(?:in|with|as) )?(?:only )?(?:an? )?(?:(?:valid|strict|raw|pure|well-formed) )?json(?: objects?| only| format)*(?:,? (?:using|with) the (?:keys|fields) [^.;]*)?$/;
const END_CONVERSATION = new RegExp(
  `^(?:end|finish|close|conclude) (?:the|each|every|all|your) (?:conversation|chat|call|session)s? (?:with|by saying) (?:the (?:words?|phrase|sentence) )?(?<quotes>${Q})$`,
);
const END_CALL =
  /^(?:end|finish|close|conclude) (?:(?:the|each|every|all|your) (?:conversation|chat|session|task|run|interaction)s? )?(?:by|with) (?:calling |a call (?:to|of) |using |invoking )(?<tool>.+)$/;

/** Elements that an answer may be forbidden to contain, with a pattern that finds them. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [
    /^emojis?$|^emoticons?$/,
    '[\\x{1F300}-\\x{1FAFF}\\x{1F1E6}-\\x{1F1FF}\\x{2600}-\\x{26FF}\\x{2705}\\x{2728}\\x{2753}-\\x{2757}\\x{2764}\\x{274C}]',
  ],
  [/^(?:markdown|markdown (?:formatting|syntax))$/, '\\*\\*[^*\\n]+\\*\\*|(?m:^#{1,6} )|```|(?m:^\\s*[-*] \\S)'],
  [/^(?:bullet ?points?|bullets|bulleted lists?|bullet lists?)$/, '(?m:^\\s*[-*•] \\S)'],
  [/^(?:headings?|headers?)$/, '(?m:^#{1,6} \\S)'],
  [/^(?:tables?|markdown tables?)$/, '(?m:^\\s*\\|.*\\|\\s*$)'],
  [/^exclamation (?:marks?|points?)$/, '!'],
  [/^(?:code blocks?|code fences?)$/, '```'],
];

/** Reads the forms on answers: `Never say "..."`, `respond only in JSON`, `always end the conversation with "..."`. */
export const answerRules: Production = (clause, offered) => {
  const { text } = clause;
  if (isConditional(text)) return [];
  const endTool = END_CALL.exec(text)?.groups?.tool;
  const endTools = endTool === undefined ? undefined : resolveAction(endTool, offered);
  if (endTools !== undefined) return [{ form: 'ends_with', tools: [...endTools.tools] }];
  if (JSON_ONLY.test(text)) {
    return [{ form: 'answer_matches', pattern: '(?s)^\\s*(?:```(?:json)?\\s*)?[\\[{].*[\\]}]\\s*(?:```)?\\s*$' }];
  }
  return marksCheck(text) ?? quotedCheck(clause);
};

function marksCheck(text: string): ReturnType<Production> | undefined {
  const listed =
    /^(?:never (?:use |include |add |write |output )?|no )(?:any )?(?<marks>[a-z ,]+?)(?: in (?:your|any|an?) (?:\w+ )?\w+)?$/.exec(
      text,
    )?.groups?.marks;
  const items = listed?.split(/,? (?:or|and|nor) |, ?(?:no )?/).map((item) => item.replace(/^(?:any|no) /, '')) ?? [];
  const patterns = items.map((item) => MARKS.find(([name]) => name.test(item))?.[1]);
  if (patterns.length === 0 || patterns.some((pattern) => pattern === undefined)) return undefined;
  return [{ form: 'answer_never_matches', pattern: patterns.join('|') }];
}

/** Forms whose pattern is the quoted text of the sentence. */
const QUOTED: readonly (readonly [
  RegExp,
  'answer_matches' | 'answer_never_matches' | 'ends_with',
  (words: string) => string,
])[] = [
  [NEVER_SAY, 'answer_never_matches', (words) => bounded(words)],
  [NEVER_PHRASE, 'answer_never_matches', (words) => bounded(words)],
  [NEVER_START, 'answer_never_matches', (words) => `(?i)^\\W*${bounded(words, '')}`],
  [START_WITH, 'answer_matches', (words) => `(?i)^\\W*${words}`],
  [END_EVERY_WITH, 'answer_matches', (words) => `(?i)${words}\\W*$`],
  [INCLUDE, 'answer_matches', (words) => `(?i)${words}`],
  [ONLY_ANSWER, 'answer_matches', (words) => `(?i)^\\W*(?:${words})\\W*$`],
  [END_CONVERSATION, 'ends_with', (words) => `(?i)${words}\\W*$`],
];
const MAX_PATTERN_LENGTH = 500;

function quotedCheck({ text, quotes }: Clause): ReturnType<Production> {
  for (const [sentence, form, patternOf] of QUOTED) {
    const named = sentence.exec(text)?.groups?.quotes;
    if (named === undefined) continue;
    const words = [...named.matchAll(/«(\d)»/g)].map(([, index]) => wordsPattern(quotes[Number(index)] ?? ''));
    const pattern = patternOf(words.join('|'));
    const isUsable = words.every((word) => isTelling(word, form)) && pattern.length <= MAX_PATTERN_LENGTH;
    return isUsable ? [{ form, pattern }] : [];
  }
  return [];
}

/**
 * Rejects short quotes in `Never say "no"`, which mean more than the word, and brackets, which stand for something
 * else.
 */
function isTelling(words: string, form: ExpectationCheck['form']): boolean {
  if (!/[\p{L}\p{N}]/u.test(words) || /[[<{]/.test(words.replaceAll('\\[', '['))) return false;
  return form !== 'answer_never_matches' || words.length >= 4;
}

/**
 * Pattern of the quoted words with any white space between them, without final punctuation, which often belongs to the
 * sentence.
 */
function wordsPattern(quote: string): string {
  const words = withoutTrailing(quote.trim(), /[.,!?]/);
  return words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
}

function bounded(words: string, flags = '(?i)'): string {
  return `${flags}\\b(?:${words})\\b`;
}
