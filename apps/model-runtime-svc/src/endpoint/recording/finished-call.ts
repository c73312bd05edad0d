import { randomUUID } from 'node:crypto';
import type { DayUsage, Principal } from '@clew/contracts';
import type { ModelEndpoint } from '../providers/endpoints.ts';
import { AnswerObserver, type ObservedAnswer } from './observed-answer.ts';
import type { JsonRecord } from './values.ts';

export type Operation = DayUsage['operation'];
export type CallOrigin = DayUsage['origin'];

/** Call that has ended, successfully or not. */
export interface FinishedCall {
  projectId: string;
  requestId: string;
  operation: Operation;
  origin: CallOrigin;
  principalId: string;
  endpoint: Pick<ModelEndpoint, 'name' | 'provider' | 'model' | 'price'>;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  /** Conversation that the caller named. */
  conversationId: string | undefined;
  /** Key of the hashes of its words, in a project that masks: a hash of few words tells them. */
  hashKey?: string;
  /** Request as the caller sent it. */
  request: JsonRecord;
  /** Approximate memory of the request. */
  requestBytes: number;
  answer: ObservedAnswer;
  /** Tokens that count: those that the provider reported, or an estimate for an answer that broke off before it did. */
  tokens: CountedTokens;
  startedAtMs: number;
  endedAtMs: number;
  firstByteMs: number | undefined;
  /** Error code, or `cancelled`. */
  error: string | undefined;
}

export interface CountedTokens {
  inputTokens: number;
  outputTokens: number;
}

/** Approximate size of a call, in memory and in a message: its words; everything else is small. */
export function bytesOf({ requestBytes, answer }: FinishedCall): number {
  return requestBytes + answerLength(answer);
}

function answerLength({ content, reasoning, toolCalls }: ObservedAnswer): number {
  const calledLength = toolCalls.reduce((sum, call) => sum + call.arguments.length, 0);
  return content.length + reasoning.length + calledLength;
}

/** Call without its words, for cases in which nobody will read them. */
export function withoutContent(call: FinishedCall): FinishedCall {
  const answer = { ...call.answer, content: '', reasoning: '', toolCalls: [] };
  return { ...call, request: {}, requestBytes: 0, answer };
}

/** Call with the conversation that it belongs to. */
export interface RecordedCall {
  call: FinishedCall;
  conversationId: string | undefined;
}

export interface CallStart {
  projectId: string;
  requestId: string;
  operation: Operation;
  principal: Principal;
  endpoint: ModelEndpoint;
  traceparent: string | undefined;
  conversationId: string | undefined;
  request: JsonRecord;
  requestBytes: number;
  startedAtMs: number;
}

/** Call in progress, with the data that will be recorded. */
export interface CallInProgress {
  readonly observer: AnswerObserver;
  firstByte(nowMs: number): void;
  end(nowMs: number, error?: string): FinishedCall;
}

const SPAN_ID_LENGTH = 16;
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/;

/**
 * Draws 32 hex digits. They come from a UUID, whose random bytes are pooled; asking the system at each call takes
 * longer.
 */
function randomHex(): string {
  return randomUUID().replaceAll('-', '');
}

export function beginCall(start: CallStart): CallInProgress {
  const { principal, traceparent, ...rest } = start;
  const observer = new AnswerObserver();
  const parent = traceparent === undefined ? null : TRACEPARENT.exec(traceparent);
  let firstByteMs: number | undefined;
  return {
    observer,
    firstByte(nowMs) {
      firstByteMs ??= nowMs - start.startedAtMs;
    },
    end: (nowMs, error) => ({
      ...rest,
      origin: principal.kind === 'service' ? 'system' : 'caller',
      principalId: principal.id,
      traceId: parent?.[1] ?? randomHex(),
      spanId: randomHex().slice(-SPAN_ID_LENGTH),
      parentSpanId: parent?.[2],
      answer: observer.answer,
      tokens: countedTokens(observer.answer, start.requestBytes),
      endedAtMs: nowMs,
      firstByteMs,
      error,
    }),
  };
}

/** Usual length of a token in text. */
const CHARACTERS_PER_TOKEN = 4;

function countedTokens(answer: ObservedAnswer, requestBytes: number): CountedTokens {
  if (answer.usage !== undefined) {
    const { inputTokens, outputTokens } = answer.usage;
    return { inputTokens, outputTokens };
  }
  const answered = answerLength(answer);
  if (answered === 0) return { inputTokens: 0, outputTokens: 0 };
  return {
    inputTokens: Math.ceil(requestBytes / CHARACTERS_PER_TOKEN),
    outputTokens: Math.ceil(answered / CHARACTERS_PER_TOKEN),
  };
}
