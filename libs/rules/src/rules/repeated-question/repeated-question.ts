import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import { messageSentences } from '../../conversation/message-sentences.ts';
import { hasText, turnsOf, type Turn } from '../../conversation/turns.ts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition } from '../../rule.ts';
import { compileKeywords, compilePhrases, findPhrase, hasPhrase, type PhraseSet } from '../../text/phrases.ts';
import type { Sentence } from '../../text/sentences.ts';
import {
  COMPLAINT_ABOUT_OTHERS,
  NEW_MATTER,
  REASON_TO_ASK_AGAIN,
  REPETITION_COMPLAINED,
} from '../../vocabulary/repetition.ts';
import { answerStrength, repeatsAnswer } from './answers.ts';
import { asksOf, isSameAsk, isSameSentence, type Ask } from './ask.ts';
import { askedAgainOccurrence, complaintOccurrence, userRepeatOccurrence, type Complaint } from './occurrences.ts';
import { userRepeatOf } from './user-repeat.ts';

/**
 * Repeated question: the agent asks for something that the user has given, or the user must ask again because the agent
 * did not answer.
 *
 * Cluster: the agent, and the thing asked for (`order number`), or the words that the user's two questions share.
 * Whatever the wording, one fix keeps an agent from forgetting one thing.
 */
export const repeatedQuestion: RuleDefinition = {
  ruleId: 'rule_GK608APKTEH12PSVG196BJDZNF',
  ruleKey: 'repeated_question',
  name: 'Repeated question',
  description: 'The agent asks again for what the user has already given, or the user has to repeat a question.',
  categoryKey: 'context_handling',
  keywordsMeaning: 'Further phrases with which users complain that they must repeat themselves',
  signals: [
    {
      name: 'question_asked_again',
      description: 'The agent asks the same question again after the user answered it',
      defaultSeverity: 'medium',
      weight: 0.8,
    },
    {
      name: 'user_repeats_question',
      description: 'The user asks the same question again, because the answer in between did not answer it',
      defaultSeverity: 'low',
      weight: 0.7,
    },
    {
      name: 'repetition_pointed_out',
      description: 'The user complains of having to say the same thing again',
      defaultSeverity: 'low',
      weight: 0.6,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot, configuration) {
    return occurrencesIn(snapshot, compileKeywords(configuration.keywords));
  },
};

const COMPLAINTS = compilePhrases(REPETITION_COMPLAINED);
const ABOUT_OTHERS = compilePhrases(COMPLAINT_ABOUT_OTHERS);
const REASONS = compilePhrases(REASON_TO_ASK_AGAIN);
const NEW_MATTERS = compilePhrases(NEW_MATTER);

/** Number of earlier turns that are searched for the same question. */
const LOOK_BACK_TURNS = 4;
/** Factor if the agent worked with the answer in between: it may be asking about something else by now. */
const ANSWER_USED = 0.6;
const MIN_STRENGTH = 0.3;

interface ReadTurn {
  readonly turn: Turn;
  readonly asks: readonly Ask[];
  /** Sentences of the agent in the turn, including the question. */
  readonly sentences: readonly Sentence[];
  readonly usesTools: boolean;
  readonly bringsNewMatter: boolean;
  readonly complaint: Complaint | undefined;
}

function occurrencesIn(snapshot: ConversationSnapshot, keywords: PhraseSet): Occurrence[] {
  const turns = turnsOf(snapshot).map((turn, index) => readTurn(turn, index, keywords));
  const repeatedAsks = turns.map((_, index) => repeatedAskIn(turns, index));
  return turns.flatMap((read, index): Occurrence[] => {
    const occurrences: Occurrence[] = [];
    const next = turns[index + 1];
    const askedAgain = repeatedAsks[index];
    if (askedAgain !== undefined) occurrences.push(askedAgainOccurrence(snapshot, askedAgain, next?.complaint));
    const isExplained = repeatedAsks[index - 1] !== undefined;
    if (read.complaint !== undefined && !isExplained) {
      const earlier = turns[index - 1];
      const answer = earlier?.turn.messages.findLast(hasText);
      if (answer !== undefined)
        occurrences.push(complaintOccurrence(snapshot, read.complaint, answer, earlier?.asks.at(-1)));
    }
    const repeat = userRepeatOf(turns.slice(Math.max(0, index - 2), index + 1).map((candidate) => candidate.turn));
    if (repeat !== undefined) occurrences.push(userRepeatOccurrence(snapshot, repeat));
    return occurrences;
  });
}

function readTurn(turn: Turn, index: number, keywords: PhraseSet): ReadTurn {
  const texts = turn.messages.filter(hasText);
  const last = texts.at(-1);
  const user = turn.userMessage === undefined ? [] : messageSentences(turn.userMessage);
  return {
    turn,
    asks: last === undefined ? [] : asksOf(last),
    sentences: last === undefined ? [] : messageSentences(last),
    usesTools: turn.messages.some((message) => message.role === 'tool' || (message.toolCalls?.length ?? 0) > 0),
    bringsNewMatter: hasPhrase(NEW_MATTERS, user),
    complaint:
      index === 0 || turn.userMessage === undefined ? undefined : complaintIn(turn.userMessage, user, keywords),
  };
}

function complaintIn(
  message: ConversationMessage,
  sentences: readonly Sentence[],
  keywords: PhraseSet,
): Complaint | undefined {
  const sentence = sentences.find(
    (candidate) =>
      findPhrase(keywords, candidate) !== undefined ||
      (findPhrase(COMPLAINTS, candidate) !== undefined && findPhrase(ABOUT_OTHERS, candidate) === undefined),
  );
  return sentence && { message, sentence };
}

/** Finds the question of a turn that the user answered in an earlier turn. */
function repeatedAskIn(turns: readonly ReadTurn[], index: number) {
  const current = turns[index];
  if (current === undefined) return undefined;
  for (const ask of current.asks) {
    for (let earlier = index - 1; earlier >= Math.max(0, index - LOOK_BACK_TURNS); earlier -= 1) {
      const first = turns[earlier]?.asks.find((candidate) => isSameAsk(candidate, ask));
      const reply = turns[earlier + 1]?.turn.userMessage;
      if (first === undefined || reply === undefined || givesReason(current, turns[earlier])) continue;
      const strength = repeatStrength(turns, first, reply, earlier, index);
      if (strength >= MIN_STRENGTH) return { first, ask, reply, strength };
      break;
    }
  }
  return undefined;
}

/**
 * Tells whether the agent, when it asks again, gives a reason or asks for another thing, in words it had not used
 * before.
 */
function givesReason(current: ReadTurn, earlier: ReadTurn | undefined): boolean {
  const isNew = (sentence: Sentence): boolean =>
    earlier === undefined || !earlier.sentences.some((known) => isSameSentence(known, sentence));
  return hasPhrase(REASONS, current.sentences.filter(isNew));
}

function repeatStrength(
  turns: readonly ReadTurn[],
  first: Ask,
  reply: ConversationMessage,
  firstIndex: number,
  askIndex: number,
): number {
  const between = turns.slice(firstIndex + 1, askIndex + 1);
  if (between.some((read) => read.bringsNewMatter)) return 0;
  const answered = answerStrength(first, reply);
  const later = turns[askIndex + 1]?.turn.userMessage;
  // If the user gives the same answer once more, it was the same question.
  if (answered > 0 && later !== undefined && repeatsAnswer(reply, later)) return 1;
  return answered * (between.some((read) => read.usesTools) ? ANSWER_USED : 1);
}
