import { Agent, type Dispatcher } from 'undici';

/**
 * Dispatcher for calls of engines, which may be silent for `silenceMs`. Each call has its own connection: an engine may
 * close a kept one just when the next call is sent on it, and then nobody knows whether it has seen that call.
 */
export function createEngineDispatcher(silenceMs: number): Dispatcher {
  return new Agent({ pipelining: 0, headersTimeout: silenceMs, bodyTimeout: silenceMs });
}
