import type { KnowledgeItem, RefusalReason } from '@clew/contracts';
import { lockQuote, mayFollow, namesOnlyGiven, type QuotedWords } from '@clew/knowledge';
import { itemQuotes } from '../look-at-item.ts';
import type { ItemAnswer } from './answers.ts';
import { dayOf } from './item-prompt.ts';
import { plainClaims, plainNumbers } from './plain-claims.ts';

/** First letter of a sentence, which is a capital whatever the word. */
const FIRST_LETTER = /(?<=^|[.!?:] )\p{Lu}(?=[\p{Ll}\s])/gu;

/** Question and answer of a model about an item, or why they cannot be kept. */
export function checkedItemAnswer(
  { suitable, question, answer, quotes }: ItemAnswer,
  item: KnowledgeItem,
): { question: string; answer: string } | RefusalReason {
  const [asked, told] = [question.trim(), answer.trim()];
  if (!suitable || asked === '' || told === '') return 'model_declined';
  const texts = [item.content, ...itemQuotes(item)];
  const isFound = (quote: string) => texts.some((text) => lockQuote(text, quote) !== undefined);
  if (quotes.length === 0 || !quotes.every(isFound)) return 'quotes_not_found';
  const given = wordsOf(item);
  const isGrounded = namesOnlyGiven(plainClaims(asked), given) && mayFollow(uncapitalised(plainClaims(told)), given);
  return isGrounded ? { question: asked, answer: told } : 'not_grounded';
}

/** Words of an item, with the days between which it holds. */
function wordsOf(item: KnowledgeItem): QuotedWords[] {
  const { title, content, subject, validFrom, validUntil, saidAt } = item;
  const days = [validFrom, validUntil].flatMap((atMs) => (atMs === null ? [] : [{ text: dayOf(atMs), atMs }]));
  const said = [title, content, subject.name, ...itemQuotes(item)].map((text) => ({
    text: plainNumbers(text),
    atMs: saidAt,
  }));
  return [...said, ...days];
}

/** Text whose sentences begin in small letters: the check of Knowledge takes each capital in an answer for a name. */
function uncapitalised(text: string): string {
  return text.replaceAll(FIRST_LETTER, (letter) => letter.toLowerCase());
}
