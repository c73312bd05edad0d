import type { ConversationMessage } from '@clew/contracts';
import { keyWords } from '../../links/result-facts.ts';
import { compilePhrases, findPhrase } from '../../text/phrases.ts';
import type { Sentence } from '../../text/sentences.ts';
import type { ConversationView } from '../../view/conversation-view.ts';
import type { Contradiction } from './contradiction.ts';
import { countsIn } from './counts.ts';

/** Records of a result that have the same boolean field, and in how many it is true. */
export interface FlagFact {
  readonly message: ConversationMessage;
  /** Last word of the field's name. */
  readonly word: string;
  readonly holds: number;
  readonly records: number;
}

const MAX_DEPTH = 4;
const MAX_RECORDS = 500;
const MAX_FLAGS = 200;
/** Words of which the field stands after a count: `12 options are currently available`. */
const REACH = 4;
const MIN_RECORDS = 2;
/** Words that count something else than all records with the field. */
const NARROWED = compilePhrases([
  '(that|which|with|without|between|after|before|under|over|other|more|additional|first|top|of the|not|no longer|if|mit|ohne|nicht|avec|sans|pas|con|sin|com|sem|nao)',
]);

/** Counts the boolean fields of the records in a result. */
export function flagsOf(view: ConversationView, message: ConversationMessage): FlagFact[] {
  if (!/true|false/.test(message.content)) return [];
  const facts: FlagFact[] = [];
  collect(view.json(message), 0, message, facts);
  return facts;
}

function collect(value: unknown, depth: number, message: ConversationMessage, facts: FlagFact[]): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || facts.length >= MAX_FLAGS) return;
  const records = Object.values(value).slice(0, MAX_RECORDS);
  const flags = new Map<string, { holds: number; records: number }>();
  for (const record of records) {
    if (typeof record !== 'object' || record === null || Array.isArray(record)) continue;
    for (const [key, flag] of Object.entries(record as object)) {
      if (typeof flag !== 'boolean') continue;
      const known = flags.get(key) ?? { holds: 0, records: 0 };
      flags.set(key, { holds: known.holds + Number(flag), records: known.records + 1 });
    }
  }
  for (const [key, counts] of flags) {
    const word = keyWords(key).at(-1);
    if (word !== undefined && counts.records >= MIN_RECORDS) facts.push({ message, word, ...counts });
  }
  for (const record of records) collect(record, depth + 1, message, facts);
}

/** Finds `there are 12 available` if no list of the results has twelve records with this field. */
export function flagCountDiffers(
  message: ConversationMessage,
  sentence: Sentence,
  flags: readonly FlagFact[],
): Contradiction | undefined {
  if (flags.length === 0 || findPhrase(NARROWED, sentence) !== undefined) return undefined;
  for (const { count, index } of countsIn(message.content, sentence)) {
    const beside = sentence.tokens.slice(index + 1, index + 1 + REACH).map(({ text }) => text);
    const named = flags.filter(({ word }) => beside.includes(word));
    const last = named.at(-1);
    if (last === undefined || named.some(({ holds }) => holds === count)) continue;
    if (count === named.reduce((sum, { holds }) => sum + holds, 0)) continue;
    const found = `${last.holds} of ${last.records}`;
    return {
      signal: 'flag_count_differs',
      message,
      sentence,
      said: String(count),
      label: last.word,
      found,
      result: last.message,
    };
  }
  return undefined;
}
