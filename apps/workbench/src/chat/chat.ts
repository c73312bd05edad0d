import type { Api } from '@clew/sdk';

export type AnswerState = 'streaming' | 'done' | 'stopped' | 'failed';

/** Answer of one model. */
export interface Answer {
  readonly text: string;
  readonly state: AnswerState;
  readonly error?: string;
  readonly startedAtMs: number;
  /** Time of the first words. */
  readonly firstAtMs?: number;
  readonly endedAtMs?: number;
  /** Tokens as the model counted them, else the pieces that came. */
  readonly tokens: number;
}

/** Turn of the person, with what each model answered. */
export interface Turn {
  readonly id: number;
  readonly said: string;
  readonly answers: Readonly<Record<string, Answer>>;
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** Messages that a model is sent: what was said, and its own answers. Turns that it failed to answer are left out. */
export function messagesFor(system: string, turns: readonly Turn[], model: string): ChatMessage[] {
  const first: ChatMessage[] = system.trim() === '' ? [] : [{ role: 'system', content: system.trim() }];
  const last = turns.length - 1;
  const rest = turns.flatMap(({ said, answers }, at): ChatMessage[] => {
    const text = answers[model]?.text ?? '';
    if (at === last) return [{ role: 'user', content: said }];
    if (text === '') return [];
    return [
      { role: 'user', content: said },
      { role: 'assistant', content: text },
    ];
  });
  return [...first, ...rest];
}

/** Piece of a streamed answer. */
export interface Piece {
  readonly text: string;
  readonly tokens: number | undefined;
}

/** Reads a piece as the OpenAI API has it; what is missing or of another form counts as nothing. */
export function pieceOf(chunk: unknown): Piece {
  const { choices, usage } = recordOf(chunk);
  const { delta } = recordOf(Array.isArray(choices) ? choices[0] : undefined);
  const { content } = recordOf(delta);
  const { completion_tokens: tokens } = recordOf(usage);
  return {
    text: typeof content === 'string' ? content : '',
    tokens: typeof tokens === 'number' ? tokens : undefined,
  };
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function newAnswer(nowMs: number): Answer {
  return { text: '', state: 'streaming', startedAtMs: nowMs, tokens: 0 };
}

/** Answer after a piece has come. */
export function withPiece(answer: Answer, { text, tokens }: Piece, nowMs: number): Answer {
  return {
    ...answer,
    text: answer.text + text,
    tokens: tokens ?? answer.tokens + (text === '' ? 0 : 1),
    firstAtMs: answer.firstAtMs ?? (text === '' ? undefined : nowMs),
  };
}

/** Speed of an answer; undefined while it cannot be told. */
export function tokensPerSecond({ tokens, firstAtMs, endedAtMs }: Answer, nowMs: number): number | undefined {
  if (firstAtMs === undefined || tokens < 2) return undefined;
  const seconds = ((endedAtMs ?? nowMs) - firstAtMs) / 1_000;
  return seconds <= 0 ? undefined : (tokens - 1) / seconds;
}

/** Figures below an answer: `42 tokens, 18 a second, first words after 0.4 s`. */
export function figuresOf(answer: Answer, nowMs: number): string {
  const { tokens, firstAtMs, startedAtMs } = answer;
  const speed = tokensPerSecond(answer, nowMs);
  return [
    ...(tokens === 0 ? [] : [`${tokens} tokens`]),
    ...(speed === undefined ? [] : [`${speed < 10 ? speed.toFixed(1) : Math.round(speed)} a second`]),
    ...(firstAtMs === undefined ? [] : [`first words after ${((firstAtMs - startedAtMs) / 1_000).toFixed(1)} s`]),
  ].join(', ');
}

/** Answer of a model that becomes an Example. */
export interface Answered {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly expected: string;
  /** Answer of the other model. */
  readonly rejected: string | undefined;
}

/** Example of an answer: what came before it is the input, and another model's answer may stand as the bad one. */
export function exampleOf({ model, messages, expected, rejected }: Answered): Api.NewExample {
  const output = (content: string): Api.ExampleOutput => ({
    type: 'chat_message',
    message: { role: 'assistant', content },
  });
  return {
    payload: {
      input: { type: 'chat', messages: messages.map(({ role, content }) => ({ role, content })) },
      expectedOutput: output(expected),
      ...(rejected === undefined || rejected === '' ? {} : { rejectedOutput: output(rejected) }),
    },
    source: { kind: 'manual', externalRef: `chat with ${model}` },
  };
}

/** Settings of a chat, as fields hold them. */
export interface ChatFields {
  readonly system: string;
  readonly temperature: string;
  readonly maxTokens: string;
}

/** Parameters of a request; what is empty or no number is left to the model. */
export function parametersOf({ temperature, maxTokens }: ChatFields): Record<string, number> {
  const heat = Number(temperature);
  const most = Number(maxTokens);
  return {
    ...(temperature.trim() !== '' && heat >= 0 && heat <= 2 ? { temperature: heat } : {}),
    ...(maxTokens.trim() !== '' && Number.isInteger(most) && most > 0 ? { max_tokens: most } : {}),
  };
}
