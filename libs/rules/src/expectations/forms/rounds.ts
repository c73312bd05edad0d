import { messageSentences } from '../../conversation/message-sentences.ts';
import { sentencesOf, type Sentence } from '../../text/sentences.ts';
import { isKnownLanguage } from '../../vocabulary/function-words.ts';
import type { ConversationReading, Utterance } from '../reading.ts';
import { stemsOf } from '../stems.ts';
import { agentAskOf, userAnswerOf, type AgentAsk, type UserAnswer } from './agreement.ts';

/** Answer of the user, and the agent's text since the answer before. The words are analyzed on demand. */
export interface Round {
  readonly answer: Utterance;
  readonly answerKind: UserAnswer;
  readonly answerStems: ReadonlySet<string>;
  readonly proposal: readonly Utterance[];
  readonly proposalWords: string;
  readonly proposalSentences: readonly Sentence[];
  readonly proposalStems: ReadonlySet<string>;
  readonly ask: AgentAsk;
  /** True if retention has removed some of the text, so that the rest proves nothing. */
  readonly hasExpired: boolean;
}

/** Dialogue of the user and the agents, in rounds. */
export interface Rounds {
  /** Whether the agents speak a language whose phrases for requests and agreement are known. */
  readonly isReadable: boolean;
  /** Returns the rounds before a position, the latest first, as many as an agreement stays valid. */
  before(position: number): Round[];
}

/** Number of answers for which an agreement stays valid, if nothing new was said about its subject. */
const MAX_STANDING_ROUNDS = 6;
const READ_LENGTH = 6000;
const MAX_PROPOSAL_MESSAGES = 5;

/** Rounds by reading, because several Expectations use those of one reading. */
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
  const latest = proposal.slice(-MAX_PROPOSAL_MESSAGES);
  const proposalWords = lazily(() => latest.map(({ text }) => text.slice(-READ_LENGTH)).join('\n'));
  const answerSentences = lazily(() => sentencesIn(answer, answerWords));
  const proposalSentences = lazily(() => latest.flatMap((said) => sentencesIn(said, said.text.slice(-READ_LENGTH))));
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

/** Reads a part of an utterance; a whole message has been read already, by the Rules or in an earlier round. */
function sentencesIn({ message }: Utterance, part: string): readonly Sentence[] {
  return part === message.content ? messageSentences(message) : sentencesOf(part);
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Number of words below which an agent's text shows no language, and proposes nothing. */
const FEW_WORDS = 4;
const SAMPLE_MESSAGES = 4;
const SAMPLE_LENGTH = 300;

function speaksKnownLanguage(utterances: readonly Utterance[]): boolean {
  const said = utterances.filter(({ speaker }) => speaker === 'agent').slice(0, SAMPLE_MESSAGES);
  const sentences = sentencesOf(said.map(({ text }) => text.slice(0, SAMPLE_LENGTH)).join('\n'));
  const wordCount = sentences.reduce((count, { tokens }) => count + tokens.length, 0);
  return wordCount < FEW_WORDS || isKnownLanguage(sentences);
}
