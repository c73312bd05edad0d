import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import { agentOf } from '../../conversation/turns.ts';
import { maskVariables, readablyMasked, WILDCARD } from '../../fingerprint/mask-variables.ts';
import type { EvidenceDraft, Narrative, Occurrence, SignalHit } from '../../rule.ts';
import { endQuoteOf, placedQuoteOf, shorten } from '../../text/quote.ts';
import type { Sentence } from '../../text/sentences.ts';
import type { Ask } from './ask.ts';
import type { UserRepeat } from './user-repeat.ts';

/** Sentence in which a user complains of having to repeat something. */
export interface Complaint {
  readonly message: ConversationMessage;
  readonly sentence: Sentence;
}

export interface RepeatedAsk {
  readonly first: Ask;
  readonly ask: Ask;
  readonly reply: ConversationMessage;
  readonly strength: number;
}

/** Length of a question in a title. */
const MAX_QUESTION = 100;
const MAX_TOPIC_WORDS = 5;

/** Builds the case that the agent asked again for something the user had given. */
export function askedAgainOccurrence(
  snapshot: ConversationSnapshot,
  { first, ask, reply, strength }: RepeatedAsk,
  complaint: Complaint | undefined,
): Occurrence {
  const agent = agentOf(snapshot, ask.message);
  const topic = topicOf(ask, first);
  const signals: SignalHit[] = [{ name: 'question_asked_again', strength }];
  if (complaint !== undefined) signals.push({ name: 'repetition_pointed_out', strength: 1 });
  return {
    signals,
    signature: { names: [agent, 'agent asks'], text: topic },
    evidence: [
      askEvidence(ask, 'The question again', `${agent} asks once more.`),
      askEvidence(first, 'The question at first', `${agent} asks for the first time.`),
      messageEvidence(reply, 'The answer of the user', 'The user answers.'),
      ...(complaint === undefined ? [] : [complaintEvidence(complaint)]),
    ],
    narrative: agentAsksNarrative(
      agent,
      topic,
      `The agent asked "${shorten(sentenceText(first), 160)}", the user answered "${shorten(reply.content, 120)}", and the agent asked again.`,
    ),
  };
}

/** Builds the case that the user complains that something was said or asked before. */
export function complaintOccurrence(
  snapshot: ConversationSnapshot,
  complaint: Complaint,
  answer: ConversationMessage,
  ask: Ask | undefined,
): Occurrence {
  const agent = agentOf(snapshot, answer);
  const topic = ask === undefined ? '' : topicOf(ask);
  return {
    signals: [{ name: 'repetition_pointed_out', strength: 1 }],
    signature: { names: [agent, 'agent asks'], text: topic },
    evidence: [
      complaintEvidence(complaint),
      {
        kind: 'message',
        message: answer,
        title: 'What the agent had said',
        summary: 'The message that the user complains of.',
        quote: endQuoteOf(answer.content, 240),
      },
    ],
    narrative: agentAsksNarrative(
      agent,
      topic,
      `The user complained: "${shorten(complaint.message.content.slice(complaint.sentence.start, complaint.sentence.end), 200)}".`,
    ),
  };
}

/** Builds the case that the user had to ask the same question again. */
export function userRepeatOccurrence(snapshot: ConversationSnapshot, repeat: UserRepeat): Occurrence {
  const agent = agentOf(snapshot, repeat.answer);
  const topic = topicText(repeat.sharedWords);
  return {
    signals: [{ name: 'user_repeats_question', strength: repeat.strength }],
    signature: { names: [agent, 'user asks'], text: topic },
    evidence: [
      messageEvidence(repeat.again, 'The question again', 'The user asks once more.'),
      messageEvidence(repeat.first, 'The question at first', 'The user asks for the first time.'),
      {
        kind: 'message',
        message: repeat.answer,
        title: 'The answer in between',
        summary: 'It did not settle the question.',
        quote: placedQuoteOf(repeat.answer.content),
      },
    ],
    narrative: {
      title: `Users must ask ${agent} twice: "${shorten(readablyMasked(repeat.first.content), MAX_QUESTION)}"`,
      summary: `The user asked "${shorten(repeat.first.content, 160)}", and after the answer asked the same again.`,
      causeAssessment: `The answer in between did not settle the question.`,
      remediationHint: `Look at the answer in the evidence: give ${agent} what it needs to answer this question, or let it say that it cannot.`,
    },
  };
}

function agentAsksNarrative(agent: string, topic: string, summary: string): Narrative {
  return {
    title:
      topic === ''
        ? `Users must repeat themselves to ${agent}`
        : `${agent} asks again for what it was told: ${readable(topic)}`,
    summary,
    causeAssessment: 'The user had given it in this conversation, and no message in between took it back.',
    remediationHint:
      topic === ''
        ? `Pass the whole conversation to ${agent}, and let it look for an answer there before it asks.`
        : `Keep "${readable(topic)}" as state once it is given, pass it to every step of ${agent}, and let the agent look there before it asks.`,
  };
}

/** Summarizes the thing asked for in a few words that different wordings share. */
function topicOf(ask: Ask, first?: Ask): string {
  if (ask.topics.length > 0) return ask.topics.toSorted().join(', ');
  const shared =
    first === undefined ? ask.contentWords : ask.contentWords.filter((word) => first.contentWords.includes(word));
  return topicText(shared);
}

function topicText(words: readonly string[]): string {
  return maskVariables([...new Set(words)].toSorted().slice(0, MAX_TOPIC_WORDS).join(' '));
}

function askEvidence(ask: Ask, title: string, summary: string): EvidenceDraft {
  const { message, sentence } = ask;
  return {
    kind: 'message',
    message,
    title,
    summary,
    quote: placedQuoteOf(message.content, sentence.start, sentence.end),
  };
}

function messageEvidence(message: ConversationMessage, title: string, summary: string): EvidenceDraft {
  return { kind: 'message', message, title, summary, quote: placedQuoteOf(message.content) };
}

function complaintEvidence({ message, sentence }: Complaint): EvidenceDraft {
  const quote = placedQuoteOf(message.content, sentence.start, sentence.end);
  return { kind: 'message', message, title: 'Complaint of the user', summary: 'The user had said this before.', quote };
}

function sentenceText({ message, sentence }: Ask): string {
  return message.content.slice(sentence.start, sentence.end);
}

function readable(topic: string): string {
  return topic.replaceAll(WILDCARD, '…');
}
