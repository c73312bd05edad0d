import { withoutTrailing } from '@clew/kernel';
import type { PromptSentence } from './prompt-sentences.ts';

/** Clause of a sentence in the form that the grammar reads. */
export interface Clause {
  /**
   * Lower case, without mark-up, subject and modal verb; a prohibition begins with `never`; `«0»` stands for a quote.
   */
  readonly text: string;
  /** Quoted texts, unchanged. */
  readonly quotes: readonly string[];
  /** Preceding text of the same sentence, for resolving pronouns. */
  readonly before: string;
}

const MAX_SENTENCE_LENGTH = 600;
const SENTENCE_MARK = /[.!;,]/;

/** Conditions and softeners: no form can express a rule that holds only sometimes. */
const CONDITION =
  /\b(?:if|when|whenever|unless|except|until|while|where|wherever|in case|as long as|provided that|depending|otherwise|during|should the|should a|try to|prefer|preferably|ideally|generally|usually|normally|typically|mostly|whenever possible|as much as possible|instead of|rather than|apart from|other than|outside of)\b/;
const TAKES_BACK =
  /\b(?:unless|except|however|other than|apart from|only if|only when|but you|but if|but only|although|even though)\b/;

/** Tells whether a part of a clause says that it does not always hold. */
export function isConditional(text: string): boolean {
  return CONDITION.test(text);
}

/** Splits a sentence into clauses; none if it is an example, too long, or takes part of itself back. */
export function clausesOf(sentence: PromptSentence): Clause[] {
  if (sentence.isExample || sentence.hasException || sentence.text.length > MAX_SENTENCE_LENGTH) return [];
  const leadIn = leadInOf(sentence.leadIn);
  if (leadIn === 'condition') return [];
  const { text, quotes } = withoutQuotes(sentence.text);
  const plain = plainText(text);
  const canonical = canonicalText(leadIn === 'never' && !isNegative(plain) ? `never ${plain}` : plain);
  if (canonical.endsWith('?') || canonical.endsWith(':')) return [];
  const whole = { text: withoutTrailing(canonical, SENTENCE_MARK), quotes, before: '' };
  const parts = partsOf(plain).map((part, index, all) => ({
    text: withoutTrailing(canonicalText(part), SENTENCE_MARK),
    quotes,
    before: all.slice(0, index).join(' '),
  }));
  return parts.length > 1 && !TAKES_BACK.test(whole.text) ? [whole, ...parts] : [whole];
}

const NEVER_LEAD_IN =
  /^(?:you (?:must|should|may|can) ?(?:not|never)|never|do not|don't|don’t|what (?:you )?(?:must|should|may) (?:not|never)(?: do)?|(?:strictly )?(?:forbidden|prohibited|not allowed))(?: do)?(?: any of)?(?: the following)?\W*$/i;
const CONDITIONAL_LEAD_IN =
  /^\W*(?:if|when|whenever|in case|unless|for|during|while|once|only|on|after|where|as soon as)\b/i;

/** Heading that limits its rules to some people or some times. */
const SPECIAL_CASE =
  /\b(?:vip|premium|gold|silver|platinum|minors?|children|beta|staging|test|weekends?|holidays?|after.?hours|scenario|mode)\b|\b(?:new|existing|angry|returning|business|private|corporate|logged.?in|anonymous|unverified|verified) \w+s\b/i;

function leadInOf(leadIn: string): 'never' | 'condition' | 'none' {
  // The meaning of a long lead-in is unknown, and it would be read again for each sentence below it.
  if (leadIn.length > MAX_SENTENCE_LENGTH) return 'condition';
  if (NEVER_LEAD_IN.test(leadIn.trim())) return 'never';
  return CONDITIONAL_LEAD_IN.test(leadIn) || SPECIAL_CASE.test(leadIn) ? 'condition' : 'none';
}

function isNegative(plain: string): boolean {
  return /^(?:you )?(?:never|do not|must not|should not|can not|may not|no )/.test(plain);
}

/** Replaces quoted texts by placeholders, so that their words are not read as words of the sentence. */
function withoutQuotes(sentence: string): { text: string; quotes: string[] } {
  const quotes: string[] = [];
  const text = sentence.replace(/"([^"\n]{1,200})"|“([^”\n]{1,200})”|„([^“”\n]{1,200})[“”]/g, (_, ...groups) => {
    quotes.push(groups.slice(0, 3).find((group) => typeof group === 'string') ?? '');
    return `«${quotes.length - 1}»`;
  });
  return { text, quotes };
}

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bcan't\b|\bcannot\b/g, 'can not'],
  [/\bwon't\b/g, 'will not'],
  [/\b(do|does|must|should|may|is|are|need)n't\b/g, '$1 not'],
  [/\byou're\b/g, 'you are'],
  [/\blook(s|ing|ed)?(?: (it|them|this|that))? up\b/g, 'lookup$1 $2'],
  [/\bmak(?:e|ing) (?:(one|them|it) up|up ([^,;.]+))/g, 'invent $1$2'],
  [/\bgo ahead\b|\bgo-ahead\b/g, 'goahead'],
];

function plainText(text: string): string {
  let plain = text
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/\*\*|__|`/g, '')
    .replace(/(?<![\w*])\*(?=\w)|(?<=\w)\*(?![\w*])/g, '');
  for (const [contraction, words] of CONTRACTIONS) plain = plain.replace(contraction, words);
  return plain.replace(/\s+/g, ' ').trim();
}

/** Start of a new clause after a comma, a colon or a semicolon. */
const CLAUSE_START =
  /;\s+|(?<=^[^:]{1,60}):\s+|,? (?:and|so|but) (?=(?:if you|when you|you (?:must|should|may|can|need)|never\b|do not\b|always\b|only (?:one|use|make|call)))|, (?=never\b|do not\b)/g;

/**
 * Splits at clause starts. Everything after a condition in the same sentence depends on it, so splitting ends there.
 */
function partsOf(plain: string): string[] {
  const parts = plain
    .split(CLAUSE_START)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const condition = parts.findIndex(isConditional);
  if (condition === -1) return parts;
  // `if you call a tool, do not answer` is read as one part.
  return [...parts.slice(0, condition), parts.slice(condition).join(', ')];
}

const OPENING =
  /^(?:please|important|note|remember|reminder|warning|critical|rule(?: \d{1,2})?|(?:it is|this is) (?:very |extremely |critically )?(?:important|essential|mandatory|crucial)|always|also|first|then|finally|in addition|and|make sure|be sure|ensure|be careful|as a rule|at all times|remember|keep in mind)(?: that| to)?[:,!-]* /;
const SUBJECT =
  /^(?:(?:you|the (?:ai |virtual )?(?:agent|assistant|bot|model)|agents|assistants|we|i want you to|your (?:job|task|duty) is to) ?)(?=(?:must|should|shall|need|have to|are|will|can|may|do|never|always|only|to|ought)\b)/;
const PROHIBITION =
  /^(?:you )?(?:must|should|shall|may|can|will|do|are|need|have)? ?(?:(?:not|never) (?:be )?(?:allowed|permitted|authori[sz]ed|supposed) to|not ever|never ever|not|never|under no circumstances(?: (?:should|may|must|can|do) you)?|in no case(?: (?:should|may|must) you)?|at no time(?: (?:should|may|must) you)?|forbidden to|prohibited from|refrain from|avoid)\b,? ?/;
const OBLIGATION =
  /^(?:must|should|shall|need to|have to|are required to|are expected to|are obliged to|are to|will|ought to) (?=\S)/;

/** Normalizes `You should never cancel orders` and `Do not cancel orders` to `never cancel orders`. */
function canonicalText(plain: string): string {
  let text = plain;
  for (let round = 0; round < 5; round += 1) {
    const shorter = text.replace(OPENING, '').replace(SUBJECT, '').replace(OBLIGATION, '');
    if (shorter === text) break;
    text = shorter;
  }
  const prohibited = PROHIBITION.exec(text)?.[0] ?? '';
  const isProhibition = /not|never|no |forbidden|prohibited|refrain|avoid/.test(prohibited);
  if (!isProhibition) return text;
  const rest = text.slice(prohibited.length).replace(/^(?:ever|please|also|simply|just) /, '');
  return `never ${rest}`;
}
