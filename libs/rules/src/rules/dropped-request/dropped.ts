import type { ConversationMessage } from '@clew/contracts';
import { hasText } from '../../conversation/turns.ts';
import { compilePhrases, findPhrase, type PhraseSet } from '../../text/phrases.ts';
import type { Sentence } from '../../text/sentences.ts';
import type { ConversationView } from '../../view/conversation-view.ts';
import { isFunctionWord } from '../../vocabulary/function-words.ts';
import { POLITE_WORDS } from '../../vocabulary/question-words.ts';
import { COURTESY, REQUEST } from '../../vocabulary/repetition.ts';
import { endedByLimit } from '../step-budget/step-budget.ts';
import type { TextRange } from '../support/evidence.ts';

/** Request that was not taken up. */
export interface Dropped {
  readonly kind: 'part_not_taken_up' | 'promise_not_kept' | 'ended_unanswered' | 'ended_announcing';
  readonly message: ConversationMessage;
  readonly range: TextRange;
  /** Next answer of the agent, if any. */
  readonly answer: ConversationMessage | undefined;
}

/** Phrases of direct requests; mere wishes and explanations need no answer of their own. */
const DIRECT_REQUESTS = compilePhrases(REQUEST);
const REQUESTS = compilePhrases([
  ...REQUEST,
  '(i|we) (want|need|would like|wish) (to|you)',
  '(id like|also|and) (to|please|can|could)',
  '(ich|wir) (mochte|will|brauche|mochten)',
  '(je|nous) (veux|voudrais|souhaite|voudrions)',
  '(quiero|quisiera|necesito|quero|gostaria)',
]);
const COURTESIES = compilePhrases(COURTESY);
const THANKS = compilePhrases([
  '(thanks|thank you|thx|cheers|bye|goodbye|have a (nice|great|good)|no further|thats all|that is all|all set|danke|merci|gracias|obrigado|obrigada|tschuss|au revoir|adios|tchau)',
]);
const PROMISES = compilePhrases([
  '(one moment|just a moment|a moment please|one second|hold on|please hold|please wait|bear with me|give me a (moment|second|minute))',
  '(let me|ill|i will|im going to|i am going to) (now|just|quickly|go ahead and|first|) (check|look|search|find|retrieve|fetch|process|run|start|get|pull|verify|cancel|book|update|submit|send|create|calculate|transfer|proceed)',
  '(einen moment|ich (prufe|suche|schaue|sehe) (das|jetzt|kurz|gleich|nach))',
  '(un instant|un moment|je (verifie|cherche|regarde))',
  '(un momento|voy a (verificar|buscar|revisar|comprobar)|um momento|vou (verificar|buscar|checar))',
]);
/** Announcements of a step of the work, as agents write them for themselves. */
const ANNOUNCEMENTS = compilePhrases([
  '(let me|lets|let us|ill|i will|we will|im going to|i am going to|i need to|we need to|i have to|i should|i must) (now|first|next|then|just|quickly|also|proceed to|now proceed to|go ahead and|try to|) (check|look|search|find|retrieve|fetch|process|run|rerun|execute|get|pull|verify|cancel|book|update|submit|send|create|calculate|compute|query|call|try|think|read|open|filter|sum|count|examine|inspect|fix|modify|rewrite|add|delete|remove|record|extract|analyze|perform|compare|continue|do (that|this|so|it) now)',
]);
/** Promises for later, or with a condition, are kept later. */
const LATER = compilePhrases([
  '(if|once|when|after|as soon as|whenever|until|let me know|tell me|need your|please provide|please confirm|would you|tomorrow|later|next time|wenn|sobald|si|quand|cuando|quando)',
]);

const MIN_ASKED_WORDS = 4;
const MAX_WORDS_BEFORE = 3;
const MAX_REQUEST_SENTENCES = 12;
const MIN_LAST_WORDS = 3;
const STEM_LENGTH = 5;

/** Finds parts of a message with several requests that no later text of an agent mentions. One pass from the end. */
export function partsLeft(view: ConversationView): Dropped[] {
  const { snapshot, messages } = view;
  if (snapshot.scope !== 'conversation' || snapshot.truncated) return [];
  const asksSeveral = ({ length }: readonly unknown[]): boolean => length > 1;
  const first = messages.findIndex(
    (message) => view.isFromUser(message) && asksSeveral(requestsIn(view.sentences(message))),
  );
  if (first === -1) return [];
  const said = new Set<string>();
  const dropped: Dropped[] = [];
  let answer: ConversationMessage | undefined;
  for (let position = messages.length - 1; position >= first; position -= 1) {
    const message = messages[position];
    if (message === undefined || message.role === 'system') continue;
    if (!view.isFromUser(message)) {
      if (message.role === 'assistant' && hasText(message)) answer = message;
      for (const word of view.scan(message).words) said.add(stemOf(word));
      for (const call of message.toolCalls ?? [])
        for (const word of call.name.split(/[^\p{L}]+/u)) said.add(stemOf(word));
      continue;
    }
    if (answer === undefined) continue;
    const asked = requestsIn(view.sentences(message));
    if (!asksSeveral(asked)) continue;
    const isTakenUp = (words: readonly string[]): boolean => words.some((word) => said.has(stemOf(word)));
    // An answer in entirely different words takes up none of the parts.
    if (!asked.some(({ words }) => isTakenUp(words))) continue;
    for (const { sentence, words } of asked) {
      if (words.length < MIN_ASKED_WORDS || isTakenUp(words)) continue;
      dropped.push({ kind: 'part_not_taken_up', message, range: sentence, answer });
    }
  }
  return dropped.reverse();
}

function requestsIn(sentences: readonly Sentence[]): { sentence: Sentence; words: readonly string[] }[] {
  return sentences
    .slice(0, MAX_REQUEST_SENTENCES)
    .filter((sentence) => sentence.isQuestion || findPhrase(DIRECT_REQUESTS, sentence) !== undefined)
    .filter((sentence) => findPhrase(COURTESIES, sentence) === undefined && findPhrase(THANKS, sentence) === undefined)
    .map((sentence) => ({
      sentence,
      words: sentence.tokens
        .map(({ text }) => text)
        .filter((word) => word.length > 3 && !isFunctionWord(word) && !POLITE_WORDS.has(word)),
    }));
}

function stemOf(word: string): string {
  return word.toLowerCase().slice(0, STEM_LENGTH);
}

/** Finds turns that end with a promise such as `one moment, I will look it up`, with nothing after it. */
export function brokenPromises(view: ConversationView): Dropped[] {
  const { turns, snapshot } = view;
  return turns.flatMap((turn, index): Dropped[] => {
    const last = turn.messages.at(-1);
    const isEnd = index === turns.length - 1;
    if (last === undefined || last.role !== 'assistant' || (last.toolCalls?.length ?? 0) > 0) return [];
    // An announcement at the end of the conversation is reported as its open end.
    if (isEnd) return [];
    // Without calls, either tools are not recorded or there are none: such a conversation consists of text only.
    if (view.calls.length === 0 && snapshot.tools.length === 0) return [];
    const sentences = view.sentences(last);
    const closing = sentences.at(-1);
    if (closing === undefined || sentences.some((sentence) => sentence.isQuestion)) return [];
    return beginsWith(PROMISES, closing) && findPhrase(LATER, closing) === undefined
      ? [{ kind: 'promise_not_kept', message: last, range: closing, answer: last }]
      : [];
  });
}

const CLOSING_SENTENCES = 2;

/** Detects that the agent spoke last, and announced a step of its work in its last sentences, which never came. */
export function endedAnnouncing(view: ConversationView): Dropped[] {
  const { snapshot } = view;
  const last = snapshot.messages.at(-1);
  if (last === undefined || last.role !== 'assistant' || (last.toolCalls?.length ?? 0) > 0) return [];
  if (snapshot.scope !== 'conversation' || snapshot.truncated) return [];
  const sentences = view.sentences(last);
  if (isTalkOnly(view, last) || sentences.some((sentence) => sentence.isQuestion)) return [];
  const announced = sentences
    .slice(-CLOSING_SENTENCES)
    .find((sentence) => beginsWith(ANNOUNCEMENTS, sentence) || beginsWith(PROMISES, sentence));
  return announced === undefined || findPhrase(LATER, announced) !== undefined
    ? []
    : [{ kind: 'ended_announcing', message: last, range: announced, answer: last }];
}

const CALL_IN_TEXT = /```|^(?:GET|POST|PUT|PATCH|DELETE) http/m;

/** Tells whether nothing is done but talking, so that what is announced to a person happens outside the recording. */
function isTalkOnly({ calls, snapshot }: ConversationView, last: ConversationMessage): boolean {
  const hasTools = calls.length > 0 || snapshot.tools.length > 0 || snapshot.agents.length > 1;
  return !hasTools && !CALL_IN_TEXT.test(last.content);
}

function beginsWith(phrases: PhraseSet, sentence: Sentence): boolean {
  const found = findPhrase(phrases, sentence);
  return found !== undefined && found.tokenIndex <= MAX_WORDS_BEFORE;
}

/** Detects that the user spoke last, asked for something, and got no answer. */
export function endedUnanswered(view: ConversationView): Dropped[] {
  const { snapshot } = view;
  const last = snapshot.messages.at(-1);
  if (last === undefined || !view.isFromUser(last) || snapshot.scope !== 'conversation' || snapshot.truncated)
    return [];
  // Work that a limit ended is no request that was passed over; another Rule reports it.
  if (endedByLimit(view) !== undefined) return [];
  const sentences = view.sentences(last);
  const request = sentences.find((sentence) => sentence.isQuestion || findPhrase(REQUESTS, sentence) !== undefined);
  const isClosing = sentences.some((sentence) => findPhrase(THANKS, sentence) !== undefined);
  if (request === undefined || isClosing || request.tokens.length < MIN_LAST_WORDS) return [];
  // A single message may be the whole task of an agent whose work is recorded elsewhere.
  const answer = snapshot.messages.findLast((message) => message.role === 'assistant');
  return answer === undefined ? [] : [{ kind: 'ended_unanswered', message: last, range: request, answer }];
}
