import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import type { ChatMessage } from '@clew/inference';
import { DATA_RULE, dataBlock } from '@clew/knowledge';
import type { RuleDefinition } from '@clew/rules';
import { framedCall, textsOf } from '@clew/review';
import type { Candidate } from './verdicts.ts';

/** Prompt size limit in characters (about four characters per token) for a model whose context length is unknown. */
const DEFAULT_MAX_CHARACTERS = 40_000;
const MIN_CHARACTERS = 4_000;
const CHARACTERS_PER_TOKEN = 3;
/** Share of a model's context that the conversation may fill; the rest is for instructions and answer. */
const SHARE_OF_CONTEXT = 0.6;
/** Tokens for a verdict with its reason and some quotes; a longer answer means that the model has lost its way. */
const TOKENS_PER_VERDICT = 350;
const TOKENS_AROUND_VERDICTS = 100;
const MAX_ANSWER_TOKENS = 2_000;
/** Share of a model's context that the answer may fill; the instructions take the rest. */
const ANSWER_SHARE_OF_CONTEXT = 0.25;
const MAX_MESSAGE_CHARACTERS = 4_000;
const CUT = '\n[...]\n';

const INSTRUCTIONS = `You check what an automatic rule suspects in a conversation between users, an AI assistant and its tools.
For each suspected problem decide from the conversation alone:
- "confirmed": the problem is really there;
- "refuted": the conversation shows that it is not there;
- "unclear": the conversation does not tell.
Say in "because", in one or two sentences, why. In "quotes" copy the words that show it, character by character, from the messages that you name by their index; at least one from a message where the problem is suspected. A verdict with a quote that is not in its message counts for nothing.
Answer with a JSON object {"verdicts": [{"candidate": 1, "verdict": "...", "because": "...", "quotes": [{"messageIndex": 0, "quote": "..."}]}]}, one entry for each problem.
${DATA_RULE}`;

/** Maximum number of characters of a conversation to show a model with that context length (in tokens). */
export function maxCharactersOf(contextLength: number | null): number {
  if (contextLength === null) return DEFAULT_MAX_CHARACTERS;
  const fitting = Math.floor(contextLength * CHARACTERS_PER_TOKEN * SHARE_OF_CONTEXT);
  return Math.max(MIN_CHARACTERS, Math.min(DEFAULT_MAX_CHARACTERS, fitting));
}

/** Maximum length in tokens of an answer on that many candidates. */
export function maxAnswerTokensOf(candidateCount: number, contextLength: number | null): number {
  const asked = Math.min(MAX_ANSWER_TOKENS, TOKENS_AROUND_VERDICTS + candidateCount * TOKENS_PER_VERDICT);
  if (contextLength === null) return asked;
  return Math.min(asked, Math.max(TOKENS_PER_VERDICT, Math.floor(contextLength * ANSWER_SHARE_OF_CONTEXT)));
}

/** Selects the messages to show a judge: as many of those nearest to the candidates as fit. */
export function shownToJudge(
  candidates: readonly Candidate[],
  { messages }: Pick<ConversationSnapshot, 'messages'>,
  maxCharacters: number,
): ConversationMessage[] {
  const steps = candidates.flatMap(({ evidence }) => evidence.map(({ stepIndex }) => stepIndex));
  return messagesAround(messages, new Set(steps), maxCharacters);
}

/** Builds the question for a judge. All text from the conversation stands in data blocks. */
export function judgePrompt(
  rule: Pick<RuleDefinition, 'name' | 'description'> | undefined,
  candidates: readonly Candidate[],
  shown: readonly ConversationMessage[],
): ChatMessage[] {
  const problem = rule === undefined ? '' : `The rule is "${rule.name}": ${rule.description}\n\n`;
  return [
    { role: 'system', content: INSTRUCTIONS },
    {
      role: 'user',
      content: [
        `${problem}The conversation, with the index and role of each message:`,
        dataBlock('conversation', shown.map(rendered).join('\n')),
        `The suspected problems, ${candidates.length} in number:`,
        dataBlock('problems', candidates.map(described).join('\n\n')),
      ].join('\n'),
    },
  ];
}

function described({ title, summary, evidence }: Candidate, position: number): string {
  const places = evidence.map(({ stepIndex }) => stepIndex);
  return `Problem ${position + 1}: ${title}\n${summary}\nSuspected in messages: ${[...new Set(places)].join(', ')}`;
}

function rendered(message: ConversationMessage): string {
  const [content = '', ...calls] = textsOf(message);
  const error = message.error === undefined ? [] : [`(it failed: ${message.error.message})`];
  const lines = [content, ...calls.map(framedCall), ...error].filter((line) => line !== '');
  return `[${message.index}] ${message.role}: ${shortened(lines.join('\n'))}`;
}

/** Shortens a text to its beginning and its end, which say the most. */
function shortened(text: string): string {
  if (text.length <= MAX_MESSAGE_CHARACTERS) return text;
  const half = Math.floor((MAX_MESSAGE_CHARACTERS - CUT.length) / 2);
  return `${text.slice(0, half)}${CUT}${text.slice(-half)}`;
}

/** Keeps the messages nearest to the suspected problems, as many as fit, in their original order. */
function messagesAround(
  messages: readonly ConversationMessage[],
  steps: ReadonlySet<number>,
  maxCharacters: number,
): ConversationMessage[] {
  const distance = ({ index }: ConversationMessage) => Math.min(...[...steps].map((step) => Math.abs(step - index)));
  let room = maxCharacters;
  const kept = messages
    .map((message) => ({ message, away: distance(message) }))
    .toSorted((left, right) => left.away - right.away)
    .filter(({ message, away }) => {
      room -= rendered(message).length;
      return room >= 0 || away === 0;
    });
  return kept.map(({ message }) => message).toSorted((left, right) => left.index - right.index);
}
