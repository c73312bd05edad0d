import type { ConversationMessage } from '@clew/contracts';
import { isDerivable, MAX_SOURCES } from '../../links/derivation.ts';
import { factsOf, singular, type ListFact, type NumberFact, type ResultFacts } from '../../links/result-facts.ts';
import { numberKey, type TextValue } from '../../values/scan-text.ts';
import { compilePhrases, findPhrase } from '../../text/phrases.ts';
import type { Sentence } from '../../text/sentences.ts';
import type { ConversationView } from '../../view/conversation-view.ts';
import type { Contradiction } from './contradiction.ts';
import { countAt } from './counts.ts';
import { flagCountDiffers, flagsOf, type FlagFact } from './miscounted-flags.ts';
import { misstatedAmounts } from './misstated-amounts.ts';
import { listsNotReadToEnd, partsTakenForWhole } from './parts-of-results.ts';

const LABEL_REACH = 4;
const MAX_RESULTS = 12;
const MAX_KNOWN = 1500;

const LOWEST = compilePhrases([
  '(cheapest|lowest|least expensive|smallest|minimum|shortest|fewest|gunstigste|billigste|niedrigste|kleinste|moins cher|plus bas|mas barato|mas bajo|mais barato|mais baixo)',
]);
const HIGHEST = compilePhrases([
  '(most expensive|highest|largest|biggest|maximum|longest|most|teuerste|hochste|grosste|plus cher|plus eleve|mas caro|mas alto|mais caro|mais alto)',
]);
const ALL = compilePhrases([
  '(all|total|altogether|in total|overall|insgesamt|alle|au total|tous|toutes|en total|todos|todas|no total)',
]);
const FILTERED = compilePhrases([
  '(that|which|with|without|between|after|before|under|over|other|more|additional|first|top|of the|mit|ohne|avec|sans|con|sin|com|sem)',
]);

/** Finds all contradictions of a conversation. */
export function contradictionsOf(view: ConversationView): Contradiction[] {
  return [...statedValues(view), ...misstatedAmounts(view), ...listsNotReadToEnd(view), ...partsTakenForWhole(view)];
}

type KnownFacts = ResultFacts & { readonly flags: readonly FlagFact[] };

/** Facts of several results, each kind put together when a sentence is compared with it: few sentences need all. */
class FactsTogether implements KnownFacts {
  readonly #facts: readonly KnownFacts[];
  #numbers: readonly NumberFact[] | undefined;
  #lists: readonly ListFact[] | undefined;
  #flags: readonly FlagFact[] | undefined;

  constructor(facts: readonly KnownFacts[]) {
    this.#facts = facts;
  }

  get isEmpty(): boolean {
    return this.#facts.every(({ numbers, lists, flags }) => numbers.length + lists.length + flags.length === 0);
  }

  get numbers(): readonly NumberFact[] {
    return (this.#numbers ??= this.#facts.flatMap(({ numbers }) => numbers).slice(-MAX_KNOWN));
  }

  get lists(): readonly ListFact[] {
    return (this.#lists ??= this.#facts.flatMap(({ lists }) => lists).slice(-MAX_KNOWN));
  }

  get flags(): readonly FlagFact[] {
    return (this.#flags ??= this.#facts.flatMap(({ flags }) => flags).slice(-MAX_KNOWN));
  }
}

/**
 * Compares the statements of agents with the results before them. Only the last results count, because a speaker has
 * only those in mind.
 */
function statedValues(view: ConversationView): Contradiction[] {
  let facts: readonly KnownFacts[] = [];
  let known: FactsTogether | undefined;
  return view.messages.flatMap((message): Contradiction[] => {
    if (message.role === 'tool') {
      facts = [...facts, { ...factsOf(view, message), flags: flagsOf(view, message) }].slice(-MAX_RESULTS);
      known = undefined;
    }
    if (message.role !== 'assistant' || message.content === '' || facts.length === 0) return [];
    known ??= new FactsTogether(facts);
    return known.isEmpty ? [] : contradictionsIn(view, message, known);
  });
}

function contradictionsIn(view: ConversationView, message: ConversationMessage, known: KnownFacts): Contradiction[] {
  const values = view.scan(message).values.filter((value) => value.kind === 'number');
  return view.sentences(message).flatMap((sentence): Contradiction[] => {
    if (sentence.isQuestion) return [];
    const own = values.filter((value) => value.start >= sentence.start && value.end <= sentence.end);
    const differs = own.flatMap((value) => numberDiffers(view, message, sentence, value, known) ?? []);
    const found = [
      differs[0],
      extremeDiffers(message, sentence, own, known),
      countDiffers(message, sentence, known),
      flagCountDiffers(message, sentence, known.flags),
    ];
    return found.filter((one) => one !== undefined);
  });
}

/**
 * Finds a number beside the word of a key, if the results have that key but no result or other source has the number.
 */
function numberDiffers(
  view: ConversationView,
  message: ConversationMessage,
  sentence: Sentence,
  value: TextValue,
  known: Pick<KnownFacts, 'numbers'>,
): Contradiction | undefined {
  const position = view.positionOf(message);
  const number = Number(value.key);
  const origin = view.values.originOf(value.key);
  if (origin === undefined || origin.position !== position) return undefined;
  if (view.values.isGivenBefore(numberKey(value.key) ?? value.key, position)) return undefined;
  const at = sentence.tokens.findIndex((token) => token.end > value.start);
  const near = sentence.tokens.slice(Math.max(0, at - LABEL_REACH), at).map(({ text }) => singular(text));
  const labelled = known.numbers.findLast(
    (fact) => fact.words.length > 0 && fact.words.every((word) => near.includes(word)),
  );
  if (labelled === undefined || isDerivable(number, view.values.numbersGivenBefore(position, MAX_SOURCES)))
    return undefined;
  return {
    signal: 'number_differs',
    message,
    sentence,
    said: value.key,
    label: labelled.words.join(' '),
    found: String(labelled.number),
    result: labelled.message,
  };
}

/** Finds `The cheapest is 120` if the same list of results contains a 90 under the same key. */
function extremeDiffers(
  message: ConversationMessage,
  sentence: Sentence,
  values: readonly TextValue[],
  known: Pick<KnownFacts, 'numbers'>,
): Contradiction | undefined {
  if (values.length !== 1) return undefined;
  const lowest = findPhrase(LOWEST, sentence) !== undefined;
  const highest = findPhrase(HIGHEST, sentence) !== undefined;
  if (lowest === highest || findPhrase(FILTERED, sentence) !== undefined) return undefined;
  const said = Number(values[0]?.key);
  const source = known.numbers.findLast((fact) => fact.number === said);
  if (source === undefined) return undefined;
  const rivals = known.numbers.filter((fact) => fact.message === source.message && fact.path === source.path);
  const better = rivals.find(({ number }) => number !== 0 && (lowest ? number < said : number > said));
  if (better === undefined) return undefined;
  return {
    signal: 'extreme_differs',
    message,
    sentence,
    said: String(said),
    label: source.words.join(' '),
    found: String(better.number),
    result: source.message,
  };
}

/** Text between a count and the counted thing: a space, or one more word. */
const STANDS_BESIDE = /^\**[ ]\**(?:[\p{Ll}-]+[ ])?$/u;

/** Finds `You have five orders` if every list of orders is shorter, or `all three orders` if there are more. */
function countDiffers(
  message: ConversationMessage,
  sentence: Sentence,
  known: Pick<KnownFacts, 'lists'>,
): Contradiction | undefined {
  if (known.lists.length === 0) return undefined;
  const { tokens } = sentence;
  for (const [index, token] of tokens.entries()) {
    const count = countAt(message.content, token);
    if (count === undefined) continue;
    const noun = tokens.slice(index + 1, index + 3).find(({ text }) => singular(text) !== text);
    if (noun === undefined || !STANDS_BESIDE.test(message.content.slice(token.end, noun.start))) continue;
    const named = known.lists.filter((list) => list.words.at(-1) === singular(noun.text));
    if (named.length === 0 || named.some(({ length }) => length === count)) continue;
    const sum = named.reduce((total, { length }) => total + length, 0);
    const isMore = count > sum;
    const isAll = findPhrase(ALL, sentence) !== undefined && findPhrase(FILTERED, sentence) === undefined;
    const last = named.at(-1);
    if (last === undefined || count === sum || (!isMore && !(isAll && named.length === 1))) continue;
    return {
      signal: 'count_differs',
      message,
      sentence,
      said: String(count),
      label: last.words.join(' '),
      found: String(isMore ? sum : last.length),
      result: last.message,
    };
  }
  return undefined;
}
