import { toOtlpJson, type EncodedSpan } from '@clew/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from './api.ts';

/** `<trace>:<span>` of every span that the gateway has acknowledged. */
export type Acknowledged = Set<string>;

const RETRY_PAUSE_MS = 100;
const MAX_ATTEMPTS = 1_200;

/** Sends spans like an exporter with retries: again and again until they are acknowledged. */
export async function sendUntilAcknowledged(
  apiKey: string,
  batches: readonly EncodedSpan[][],
  acknowledged: Acknowledged,
  concurrency = 4,
): Promise<void> {
  const waiting = [...batches];
  async function work(): Promise<void> {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      await sendOne(apiKey, batch);
      for (const { traceId, spanId } of batch) acknowledged.add(`${traceId}:${spanId}`);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work));
}

async function sendOne(apiKey: string, spans: EncodedSpan[]): Promise<void> {
  const body = toOtlpJson({ spans, logs: [] });
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const status = await callApi(apiKey, '/v1/traces', { body }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    if (status >= 400 && status < 500 && status !== 429) throw new Error(`The spans were refused with ${status}`);
    await sleep(RETRY_PAUSE_MS);
  }
  throw new Error('The spans were never acknowledged');
}
