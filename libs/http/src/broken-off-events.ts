import type { ServerResponse } from 'node:http';
import { AppError } from '@clew/kernel';
import { openAiErrorBody } from './openai-error.ts';

const BROKEN_OFF = openAiErrorBody(
  new AppError('UPSTREAM_UNAVAILABLE', 'The answer broke off: the service is stopping'),
);

const brokenOff = new WeakSet<ServerResponse>();

export function hasEvents(response: ServerResponse): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream');
}

/**
 * Ends an event stream prematurely. Clients of the OpenAI API also read an error from an event; the empty line before
 * it terminates a partial event.
 */
export function endEvents(response: ServerResponse): void {
  brokenOff.add(response);
  // The source of the stream may continue writing for a moment.
  response.on('error', () => undefined);
  response.end(`\n\ndata: ${JSON.stringify(BROKEN_OFF)}\n\n`);
}

/** Tells whether a stream was ended by something other than its route, so that this must still be logged. */
export function wereEventsBrokenOff(response: ServerResponse): boolean {
  return brokenOff.has(response);
}
