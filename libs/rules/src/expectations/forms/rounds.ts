import { sentencesOf, type Sentence } from '../../text/sentences.ts';
import { isKnownLanguage } from '../../vocabulary/function-words.ts';
import type { ConversationReading, Utterance } from '../reading.ts';
import { stemsOf } from '../stems.ts';
import { agentAskOf, userAnswerOf, type AgentAsk, type UserAnswer } from './agreement.ts';

/** One answer of the user, and what the agent had said since the answer before. Words are read when they are asked for. */
export interface Round {
  readonly answer: Utterance;
  readonly answerKind: UserAnswer;
  readonly answerStems: ReadonlySet<string>;
  readonly proposal: readonly Utterance[];
  readonly proposalWords: string;
  readonly proposalSentences: readonly Sentence[];
  readonly proposalStems: ReadonlySet<string>;
  readonly ask: AgentAsk;
  /** Retention has taken some of its words: nothing follows from what is left. */
  readonly hasExpired: boolean;
}

/** What user and agents said to each other. */
export interface Rounds {
  /** Whether the agents speak a language whose words for asking and agreeing are known. */
  readonly isReadable: boolean;
  /** The rounds before a place, the latest first, as many as an agreement holds for. */
  before(position: number): Round[];
}

/** An agreement of this many answers ago still holds, if nothing new was said about what it was for. */
const MAX_STANDING_ROUNDS = 6;
const READ_LENGTH = 6000;
const MAX_PROPOSAL_MESSAGES = 5;

/** Several Expectations ask for the rounds of one reading. */
const known = new WeakMap<ConversationReading, Rounds>();

export function roundsOf(reading: ConversationReading): Rounds {
  const rounds = known.get(reading) ?? createRounds(reading.utterances);
  known.set(reading, rounds);
  return rounds;
}

function createRounds(utterances: readonly Utterance[]): Rounds {
  const rounds: Round[] = [];
  let proposal: Utterance[] = [];
  for (const utterance of utterances) {
    if (utterance.speaker === 'agent') proposal.push(utterance);
    else {
      rounds.push(readRound(utterance, proposal));
      proposal = [];
    }
  }
  const isReadable = lazily(() => speaksKnownLanguage(utterances));
  return {
    get isReadable() {
      return isReadable();
    },
    before(position) {
      const last = rounds.findLastIndex(({ answer }) => answer.position < position);
      return rounds.slice(Math.max(0, last + 1 - MAX_STANDING_ROUNDS), last + 1).reverse();
    },
  };
}

function readRound(answer: Utterance, proposal: readonly Utterance[]): Round {
  const answerWords = answer.text.slice(0, READ_LENGTH);
  const proposalWords = lazily(() => {
    const latest = proposal.slice(-MAX_PROPOSAL_MESSAGES);
    return latest.map(({ text }) => text.slice(-READ_LENGTH)).join('\n');
  });
  const answerSentences = lazily(() => sentencesOf(answerWords));
  const proposalSentences = lazily(() => sentencesOf(proposalWords()));
  const answerKind = lazily(() => userAnswerOf(answerWords, answerSentences()));
  const answerStems = lazily(() => stemsOf(answerSentences()));
  const proposalStems = lazily(() => stemsOf(proposalSentences()));
  const ask = lazily(() => agentAskOf(proposalSentences()));
  return {
    answer,
    proposal,
    get answerKind() {
      return answerKind();
    },
    get answerStems() {
      return answerStems();
    },
    get proposalWords() {
      return proposalWords();
    },
    get proposalSentences() {
      return proposalSentences();
    },
    get proposalStems() {
      return proposalStems();
    },
    get ask() {
      return ask();
    },
    hasExpired: [answer, ...proposal].some(({ message }) => message.textExpired === true),
  };
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Fewer words of an agent than these are in no language in particular, and propose nothing. */
const FEW_WORDS = 4;
const SAMPLE_MESSAGES = 4;
const SAMPLE_LENGTH = 300;

function speaksKnownLanguage(utterances: readonly Utterance[]): boolean {
  const said = utterances.filter(({ speaker }) => speaker === 'agent').slice(0, SAMPLE_MESSAGES);
  const sentences = sentencesOf(said.map(({ text }) => text.slice(0, SAMPLE_LENGTH)).join('\n'));
  const wordCount = sentences.reduce((count, { tokens }) => count + tokens.length, 0);
  return wordCount < FEW_WORDS || isKnownLanguage(sentences);
}
