import {
  MAX_PROBLEMS,
  ProblemCategory,
  ProblemSeverity,
  type ConversationMessage,
  type ConversationSnapshot,
  type EvidenceLocation,
  type ReviewedProblem,
} from '@clew/contracts';
import { quoteOf, shorten } from '@clew/rules';
import { foundQuote } from './message-texts.ts';
import type { ReviewAnswer } from './review-answer.ts';

type AnsweredProblem = ReviewAnswer['problems'][number];

/** Problems that stand on exact quotes, and the number of those that do not. */
export interface CheckedProblems {
  problems: ReviewedProblem[];
  dropped: number;
}

const MAX_QUOTES = 8;
const MAX_SENTENCE = 1_000;
const MAX_SHORT_TEXT = 200;

/**
 * Checks the problems of an answer, the worst first. A problem stands if its category is known, each of its quotes is
 * an exact part of the message that it names, and one of them comes from the assistant: what others wrote proves no
 * mistake of it.
 */
export function checkedProblems(answer: ReviewAnswer, snapshot: ConversationSnapshot): CheckedProblems {
  const byIndex = new Map(snapshot.messages.map((message) => [message.index, message]));
  const given = answer.problems.slice(0, MAX_PROBLEMS);
  const problems = given.flatMap((problem) => checked(problem, byIndex, snapshot) ?? []);
  const severities = ProblemSeverity.options;
  return {
    problems: problems.toSorted((one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity)),
    dropped: answer.problems.length - problems.length,
  };
}

function checked(
  problem: AnsweredProblem,
  messages: ReadonlyMap<number, ConversationMessage>,
  { agents }: Pick<ConversationSnapshot, 'agents'>,
): ReviewedProblem | undefined {
  const category = ProblemCategory.safeParse(problem.category);
  const severity = ProblemSeverity.safeParse(problem.severity);
  const at = messages.get(problem.messageIndex);
  const sentence = shorten(problem.sentence, MAX_SENTENCE);
  if (!category.success || !severity.success || at === undefined || sentence === '') return undefined;
  const quotes = problem.quotes
    .slice(0, MAX_QUOTES)
    .map(({ messageIndex, quote }) => locationOf(messages, messageIndex, quote));
  const located = quotes.filter((quote) => quote !== undefined);
  if (located.length < quotes.length) return undefined;
  const isOfAssistant = ({ stepIndex }: EvidenceLocation) => messages.get(stepIndex)?.role === 'assistant';
  if (!located.some(isOfAssistant)) return undefined;
  return {
    ...{ category: category.data, severity: severity.data, stepIndex: at.index, quotes: located, sentence },
    agent: agentOf(at, agents),
    tool: toolOf(at),
    kind: shorten(problem.kind, MAX_SHORT_TEXT),
    title: titleOf(problem, sentence),
    secondLook: 'not_asked',
  };
}

function locationOf(
  messages: ReadonlyMap<number, ConversationMessage>,
  index: number,
  quote: string,
): EvidenceLocation | undefined {
  const message = messages.get(index);
  const found = foundQuote(message, quote);
  if (message === undefined || found === undefined) return undefined;
  const start = found.text.indexOf(found.quote);
  const safe = quoteOf(found.text, start, start + found.quote.length);
  if (safe === undefined) return undefined;
  return { traceId: message.traceId, spanId: message.spanId, stepIndex: index, quotes: [{ quote: safe }] };
}

/** Agent that speaks in a message; the only one of the conversation if the message names none. */
function agentOf({ role, name }: ConversationMessage, agents: readonly string[]): string | null {
  if (role === 'assistant' && name !== undefined) return name;
  return agents.length === 1 ? (agents[0] ?? null) : null;
}

function toolOf({ role, name, toolCalls = [] }: ConversationMessage): string | null {
  if (role === 'tool') return name ?? null;
  const names = new Set(toolCalls.map((call) => call.name));
  return names.size === 1 ? ([...names][0] ?? null) : null;
}

/** Title of the answer, unless it is empty or holds a digit, which is a detail of one conversation. */
function titleOf({ title, kind }: AnsweredProblem, sentence: string): string {
  const usable = [title, kind]
    .map((text) => shorten(text, MAX_SHORT_TEXT))
    .find((text) => text !== '' && !/\d/.test(text));
  return usable ?? shorten(sentence, MAX_SHORT_TEXT);
}
