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
 * Ends events before their time. Clients of the OpenAI API read an error from an event as well; the empty line before it
 * ends one that has come by half.
 */
export function endEvents(response: ServerResponse): void {
  brokenOff.add(response);
  // Whatever fed it may go on for a moment.
  response.on('error', () => undefined);
  response.end(`\n\ndata: ${JSON.stringify(BROKEN_OFF)}\n\n`);
}

/** Whether events were ended by another than their route, which is still to be told. */
export function wereEventsBrokenOff(response: ServerResponse): boolean {
  return brokenOff.has(response);
}
