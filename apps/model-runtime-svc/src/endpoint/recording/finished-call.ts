import { randomUUID } from 'node:crypto';
import type { DayUsage, Principal } from '@clew/contracts';
import type { ModelEndpoint } from '../providers/endpoints.ts';
import { AnswerObserver, type ObservedAnswer } from './observed-answer.ts';
import type { JsonRecord } from './values.ts';

export type Operation = DayUsage['operation'];
export type CallOrigin = DayUsage['origin'];

/** A call once it has ended, well or not. */
export interface FinishedCall {
  projectId: string;
  requestId: string;
  operation: Operation;
  origin: CallOrigin;
  principalId: string;
  endpoint: Pick<ModelEndpoint, 'name' | 'provider' | 'model'>;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  /** The conversation that the caller named. */
  conversationId: string | undefined;
  /** The request as the caller sent it. */
  request: JsonRecord;
  /** About how much memory the request takes. */
  requestBytes: number;
  answer: ObservedAnswer;
  startedAtMs: number;
  endedAtMs: number;
  firstByteMs: number | undefined;
  /** The code of what went wrong, or `cancelled`. */
  error: string | undefined;
}

/** About how much room a call takes, in memory and in a message: what was said in it, the rest is small. */
export function bytesOf({ requestBytes, answer }: FinishedCall): number {
  const calledLength = answer.toolCalls.reduce((sum, call) => sum + call.arguments.length, 0);
  return requestBytes + answer.content.length + answer.reasoning.length + calledLength;
}

/** What is left of a call where nobody will read what was said in it. */
export function withoutContent(call: FinishedCall): FinishedCall {
  const answer = { ...call.answer, content: '', reasoning: '', toolCalls: [] };
  return { ...call, request: {}, requestBytes: 0, answer };
}

/** A call with the conversation that it belongs to. */
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

/** A call that is under way: what of it will be recorded. */
export interface CallInProgress {
  readonly observer: AnswerObserver;
  firstByte(nowMs: number): void;
  end(nowMs: number, error?: string): FinishedCall;
}

const SPAN_ID_LENGTH = 16;
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/;

/** 32 digits. Of a UUID, since its random bytes come from a pool: to ask the system for some at each call takes longer. */
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
      endedAtMs: nowMs,
      firstByteMs,
      error,
    }),
  };
}
