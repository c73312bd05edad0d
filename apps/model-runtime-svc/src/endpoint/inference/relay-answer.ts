import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { openAiErrorBody } from '@clew/http';
import { AppError, readJson } from '@clew/kernel';
import type { AnswerObserver } from '../recording/observed-answer.ts';
import { isRecord } from '../recording/values.ts';
import type { ProviderAnswer } from './call-provider.ts';
import { eachChunk } from './each-chunk.ts';
import { dataOf, EventSplitter } from './event-splitter.ts';
import { errorOfFailure } from './provider-errors.ts';

export interface RelayOptions {
  answer: ProviderAnswer;
  response: ServerResponse;
  observer: AnswerObserver;
  signal: AbortSignal;
  /** The caller did not ask for the event that tells the usage. */
  hidesUsage: boolean;
  onFirstByte: () => void;
}

const PASSED_HEADER = /^(?:openai-|x-ratelimit-)/;
const USAGE = /"usage"\s*:\s*\{/;
const EVENT_STREAM = 'text/event-stream';
/** An answer up to this size is passed on once it is whole, so that one that breaks off is a proper error. */
const MAX_HELD_BYTES = 1024 * 1024;

/** Passes a provider's answer on to the caller as it comes. Throws an AppError while nothing has been sent. */
export async function relayAnswer(options: RelayOptions): Promise<void> {
  const contentType = headerOf(options.answer, 'content-type');
  if (contentType?.startsWith(EVENT_STREAM) === true) await relayEvents(options);
  else await relayBody(options, contentType ?? 'application/json');
}

async function relayEvents(options: RelayOptions): Promise<void> {
  const { answer, response, observer, signal } = options;
  const splitter = new EventSplitter();
  let unseen: readonly string[] = [];
  const seeWhatWasSent = () => {
    for (const event of unseen) observer.see(jsonOf(event));
    unseen = [];
  };
  try {
    await eachChunk(answer.body, (chunk) => {
      const events = splitter.push(chunk);
      const passed = options.hidesUsage ? events.filter((event) => !isUsageAlone(event)) : events;
      const sent = passed.length === 0 ? undefined : send(passed.join(''), EVENT_STREAM, options);
      // Node sends what was written once this returns, and the caller need not wait for what is remembered of it.
      seeWhatWasSent();
      unseen = events;
      return sent;
    });
    const rest = splitter.end();
    if (!response.headersSent) begin(EVENT_STREAM, options);
    response.end(rest);
  } catch (error) {
    signal.throwIfAborted();
    const failure = errorOfFailure(error);
    if (!response.headersSent) throw failure;
    // The status is gone; clients of the OpenAI API read an error from an event as well.
    response.end(`data: ${JSON.stringify(openAiErrorBody(brokenOff(failure)))}\n\n`);
    throw failure;
  } finally {
    seeWhatWasSent();
  }
}

/** The event that only tells the usage: it has no choices. */
function isUsageAlone(event: string): boolean {
  // Most events have none, and need not be parsed for that.
  if (!USAGE.test(event)) return false;
  const body = jsonOf(event);
  if (!isRecord(body) || !isRecord(body['usage'])) return false;
  return Array.isArray(body['choices']) && body['choices'].length === 0;
}

/** What an event says; undefined where that is no JSON. */
function jsonOf(event: string): unknown {
  const data = dataOf(event);
  if (!data.startsWith('{')) return undefined;
  try {
    return readJson(data);
  } catch {
    return undefined;
  }
}

async function relayBody(options: RelayOptions, contentType: string): Promise<void> {
  const { answer, response, observer, signal } = options;
  const held: Buffer[] = [];
  let bytes = 0;
  try {
    await eachChunk(answer.body, (chunk) => {
      if (bytes > MAX_HELD_BYTES) return send(chunk, contentType, options);
      held.push(chunk);
      bytes += chunk.length;
      return bytes > MAX_HELD_BYTES ? send(Buffer.concat(held), contentType, options) : undefined;
    });
  } catch (error) {
    signal.throwIfAborted();
    if (response.headersSent) response.destroy();
    throw errorOfFailure(error);
  }
  if (response.headersSent) {
    response.end();
    return;
  }
  const body = Buffer.concat(held);
  if (contentType.startsWith('application/json')) observer.see(parsedAnswer(body));
  begin(contentType, options, body.length);
  response.end(body);
}

function parsedAnswer(body: Buffer): unknown {
  try {
    return readJson(body.toString());
  } catch (error) {
    throw new AppError('PROVIDER_FAILED', 'The answer of the provider is not valid JSON', { cause: error });
  }
}

/** The promise is there, and to be waited for, where the caller does not take it as fast. */
function send(data: string | Buffer, contentType: string, options: RelayOptions): Promise<void> | undefined {
  const { response, signal } = options;
  if (!response.headersSent) begin(contentType, options);
  return response.write(data) ? undefined : drained(response, signal);
}

async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  await once(response, 'drain', { signal });
}

function begin(contentType: string, { answer, response, onFirstByte }: RelayOptions, length?: number): void {
  onFirstByte();
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined && PASSED_HEADER.test(name)) response.setHeader(name, value);
  }
  const providerRequestId = headerOf(answer, 'x-request-id');
  if (providerRequestId !== undefined) response.setHeader('x-provider-request-id', providerRequestId);
  response.setHeader('content-type', contentType);
  if (length !== undefined) response.setHeader('content-length', length);
  response.writeHead(200);
}

function headerOf({ headers }: ProviderAnswer, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function brokenOff(failure: AppError): AppError {
  return new AppError(failure.code, `The answer broke off: ${failure.message}`);
}
