import type { ConversationMessage } from '@clew/contracts';
import { compilePhrases, findPhrase } from '../../text/phrases.ts';
import type { Sentence } from '../../text/sentences.ts';
import type { ConversationView, ViewedCall } from '../../view/conversation-view.ts';
import { keyWords, singular } from '../../links/result-facts.ts';
import type { Contradiction } from './contradiction.ts';
import { countsIn } from './counts.ts';

const HEAD_LENGTH = 2000;
/** Texts with which tools say that there is more than they show. */
const CUT_OFF =
  /\b(?:output|results?|response|list|content) (?:was |were |is |are |has been |have been )?truncated\b|\[truncated\]|\bshowing (?:only )?(?:the )?(?:first )?\d{1,6} (?:of|out of) \d{1,9}\b|\b\d{1,6} more (?:results|rows|items|entries|lines|records|files)\b|\bmore results (?:are )?available\b/i;
const MORE_KEYS = /^(?:has_?more|has_?next(?:_?page)?|is_?truncated|truncated|more)$/i;
const NEXT_KEYS =
  /^(?:next|next_?(?:page|cursor|link|url)(?:_?token)?|next_?token|nextPageToken|continuation_?token)$/i;
const TOTAL_KEYS = /^(?:total_?(?:count|results|items|records|hits)|num_?found)$/i;
/** Names that are totals of records only beside a name of paging. */
const PLAIN_TOTAL_KEYS = /^(?:total|count)$/i;
const PAGING_KEYS = /^(?:page|page_?(?:size|number)|per_?page|limit|offset|skip|link|links)$/i;

const ALL = compilePhrases([
  '(all|total|altogether|in total|overall|you have|there are|only|insgesamt|alle|es gibt|au total|il y a|en total|hay|no total)',
]);
const ABSENT = compilePhrases([
  '(there is|there are|there were|you have|i found|we have|found) (no|none|nothing)',
  '(does not|doesnt|do not|dont|did not|didnt) (exist|have any|contain|include|appear)',
  '(could not|couldnt|cannot|cant|unable to) find',
  '(es gibt|ich finde) (kein|keine|keinen)',
]);
/** Words that tell the user that this is not the whole. */
const PARTIAL = compilePhrases([
  '(first|shown|showing|listed|so far|at least|more|page|partial|partly|truncated|cut off|some|top|recent|latest|most|erste|mindestens|weitere|premiers|primeros|primeiros)',
]);

/**
 * Finds answers that take a part for the whole: a result says that there is more, nothing more is fetched with the same
 * tool, and the answer gives a count or says that something is not there, without telling that it saw only a part.
 */
export function partsTakenForWhole(view: ConversationView): Contradiction[] {
  const last = new Map<string, ViewedCall>();
  for (const call of view.calls) last.set(call.toolName, call);
  return [...last.values()].flatMap((call): Contradiction[] => {
    const { result } = call;
    const more = result === undefined || call.error !== undefined ? undefined : restOf(view, result);
    if (result === undefined || more === undefined) return [];
    const answer = view.messages.slice(view.positionOf(result) + 1).find(isText);
    if (answer === undefined) return [];
    const sentences = view.sentences(answer);
    if (sentences.some((sentence) => sentence.isQuestion || findPhrase(PARTIAL, sentence) !== undefined)) return [];
    const sentence = sentences.find((one) => saysWhole(answer, one));
    if (sentence === undefined) return [];
    const said = answer.content.slice(sentence.start, sentence.end).slice(0, 80);
    return [
      { signal: 'part_taken_for_whole', message: answer, sentence, said, label: call.toolName, found: more, result },
    ];
  });
}

function isText({ role, content }: ConversationMessage): boolean {
  return role === 'assistant' && content.trim() !== '';
}

function saysWhole(answer: ConversationMessage, sentence: Sentence): boolean {
  if (findPhrase(ABSENT, sentence) !== undefined) return true;
  return findPhrase(ALL, sentence) !== undefined && countsIn(answer.content, sentence).length > 0;
}

/** Returns the words with which a result says that there is more; undefined if it does not. */
function restOf(view: ConversationView, result: ConversationMessage): string | undefined {
  const { content } = result;
  const text =
    content.length <= 2 * HEAD_LENGTH ? content : `${content.slice(0, HEAD_LENGTH)}\n${content.slice(-HEAD_LENGTH)}`;
  const json = view.json(result);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return CUT_OFF.exec(text)?.[0];
  const members = Object.entries(json);
  const more = members.find(([key, value]) => value === true && MORE_KEYS.test(key));
  const next = members.find(([key, value]) => typeof value === 'string' && value !== '' && NEXT_KEYS.test(key));
  const lists = members.filter(([, value]) => Array.isArray(value));
  const isPaged = members.some(([key]) => PAGING_KEYS.test(key));
  const total = members.find(
    ([key, value]) => typeof value === 'number' && (TOTAL_KEYS.test(key) || (isPaged && PLAIN_TOTAL_KEYS.test(key))),
  );
  const shown = lists.length === 1 ? (lists[0]?.[1] as unknown[]).length : undefined;
  if (more !== undefined) return `"${more[0]}"`;
  if (next !== undefined) return `"${next[0]}"`;
  return total !== undefined && shown !== undefined && shown > 0 && Number(total[1]) > shown
    ? `"${total[0]}"`
    : undefined;
}

const MAX_LISTS = 40;
const MAX_IDS = 200;
const IS_ID = /^(?=.{0,80}\p{N})\S{3,80}$/u;
const HAVE = compilePhrases(['(you have|you only have|there are|all|sie haben|vous avez|tiene|tienes|voce tem)']);

interface IdList {
  readonly message: ConversationMessage;
  readonly word: string;
  readonly ids: readonly string[];
}

/** Finds `you have two orders` if a result lists more of them, and only two of these were read. */
export function listsNotReadToEnd(view: ConversationView): Contradiction[] {
  const lists = view.messages
    .flatMap((message) => (message.role === 'tool' ? idLists(view, message) : []))
    .slice(0, MAX_LISTS);
  if (lists.length === 0) return [];
  const callsOf = Map.groupBy(view.calls, ({ callMessage }) => callMessage);
  return lists.flatMap((list): Contradiction[] => {
    const ids = new Set(list.ids);
    const read = new Set<string>();
    const from = view.positionOf(list.message);
    for (const [index, message] of view.messages.entries()) {
      if (index <= from || message.role !== 'assistant') continue;
      for (const call of callsOf.get(message) ?? []) {
        for (const { value } of call.leaves) if (ids.has(String(value))) read.add(String(value));
      }
      if (read.size < 2 || read.size >= ids.size || !isText(message)) continue;
      const sentence = view
        .sentences(message)
        .find((one) => !one.isQuestion && countsRead(message, one, list.word, read.size));
      if (sentence === undefined) continue;
      const found = `${ids.size} ${list.word}`;
      return [
        {
          signal: 'list_not_read_to_end',
          message,
          sentence,
          said: String(read.size),
          label: list.word,
          found,
          result: list.message,
        },
      ];
    }
    return [];
  });
}

function countsRead(message: ConversationMessage, sentence: Sentence, word: string, read: number): boolean {
  if (findPhrase(HAVE, sentence) === undefined || findPhrase(PARTIAL, sentence) !== undefined) return false;
  return countsIn(message.content, sentence).some(({ count, index }) => {
    const beside = sentence.tokens.slice(index + 1, index + 3);
    return count === read && beside.some(({ text }) => singular(text) === word);
  });
}

function idLists(view: ConversationView, message: ConversationMessage): IdList[] {
  const json = view.json(message);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [];
  return Object.entries(json).flatMap(([key, value]): IdList[] => {
    const word = keyWords(key).at(-1);
    if (!Array.isArray(value) || word === undefined || value.length < 3 || value.length > MAX_IDS) return [];
    const ids = value.filter((id): id is string => typeof id === 'string' && IS_ID.test(id));
    return ids.length === value.length ? [{ message, word, ids }] : [];
  });
}
