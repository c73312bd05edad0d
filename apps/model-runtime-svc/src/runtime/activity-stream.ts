import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import type { RuntimeActivity } from '@clew/contracts';

export interface ActivityStreamOptions {
  read(): Promise<RuntimeActivity[]>;
  response: Response;
  /** Aborted when the caller goes away. */
  signal: AbortSignal;
  /** Aborted when the process stops, which waits for its answers to end. */
  ending: AbortSignal;
  pollMs?: number;
  keepAliveMs?: number;
}

const POLL_MS = 500;
/** Interval below the idle timeout of the proxies in front. */
const KEEP_ALIVE_MS = 15_000;

/** Sends every entry once, and then each one that has changed, until the caller goes away or the process stops. */
export async function streamActivity(options: ActivityStreamOptions): Promise<void> {
  const { read, response, pollMs = POLL_MS, keepAliveMs = KEEP_ALIVE_MS } = options;
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  // The headers are sent even if there is no entry yet.
  response.flushHeaders();
  const signal = AbortSignal.any([options.signal, options.ending]);
  const sent = new Map<string, string>();
  let sentAtMs = Date.now();

  async function send(text: string): Promise<void> {
    sentAtMs = Date.now();
    // A caller that does not read must not fill the memory.
    if (!response.write(text)) await once(response, 'drain', { signal });
  }

  try {
    while (!signal.aborted) {
      for (const entry of (await read()).reverse()) {
        const text = JSON.stringify(entry);
        const key = keyOf(entry);
        if (sent.get(key) === text) continue;
        sent.set(key, text);
        await send(`event: activity\ndata: ${text}\n\n`);
      }
      if (Date.now() - sentAtMs >= keepAliveMs) await send(': still here\n\n');
      await sleep(pollMs, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    response.end();
  }
}

function keyOf(entry: RuntimeActivity): string {
  return entry.kind === 'engine' ? `engine/${entry.engine}` : `${entry.kind}/${entry.modelId}/${entry.profileId}`;
}
