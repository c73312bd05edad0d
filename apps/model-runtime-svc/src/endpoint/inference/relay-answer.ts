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
  /** True if the caller did not ask for the usage event. */
  hidesUsage: boolean;
  onFirstByte: () => void;
}

const PASSED_HEADER = /^(?:openai-|x-ratelimit-)/;
const USAGE = /"usage"\s*:\s*\{/;
const EVENT_STREAM = 'text/event-stream';
/** Size up to which an answer is held until it is complete, so that one that breaks off becomes a proper error. */
const MAX_HELD_BYTES = 1024 * 1024;

/** Relays a provider's answer to the caller as it arrives. Throws an AppError if nothing has been sent yet. */
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
      // Node sends written data when this function returns, so the caller does not wait for the observation of these
      // events.
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
    // The status has been sent; clients of the OpenAI API also read an error from an event.
    response.end(`data: ${JSON.stringify(openAiErrorBody(brokenOff(failure)))}\n\n`);
    throw failure;
  } finally {
    seeWhatWasSent();
  }
}

/** Whether an event reports only the usage: it has no choices. */
function isUsageAlone(event: string): boolean {
  // Most events contain no usage, and are not parsed.
  if (!USAGE.test(event)) return false;
  const body = jsonOf(event);
  if (!isRecord(body) || !isRecord(body['usage'])) return false;
  return Array.isArray(body['choices']) && body['choices'].length === 0;
}

/** JSON of an event; undefined if its data is not JSON. */
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

/** Sends data; returns a promise to await if the caller reads more slowly. */
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
