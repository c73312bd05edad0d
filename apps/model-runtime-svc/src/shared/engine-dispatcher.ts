import { Agent, type Dispatcher } from 'undici';

/**
 * For calls of engines, which may be silent for so long. Each call has a connection of its own: an engine may close one
 * that is kept just when the next call goes out on it, and then nobody knows whether it has seen that call.
 */
export function createEngineDispatcher(silenceMs: number): Dispatcher {
  return new Agent({ pipelining: 0, headersTimeout: silenceMs, bodyTimeout: silenceMs });
}
