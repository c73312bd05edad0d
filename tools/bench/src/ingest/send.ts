import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

export interface SendOptions {
  gatewayUrl: string;
  apiKey: string;
  bodies: readonly Uint8Array[];
  concurrency: number;
}

export interface SendResult {
  /** Answers with 429 or 503, which asked to retry later. */
  pushedBack: number;
}

const RETRY_PAUSE_MS = 200;

/** Sends every body until it is acknowledged; answers of 429 and 503 are retried, as exporters do. */
export async function sendAll({ gatewayUrl, apiKey, bodies, concurrency }: SendOptions): Promise<SendResult> {
  const agent = new Agent({ connections: concurrency });
  const waiting = [...bodies];
  let pushedBack = 0;
  async function work(): Promise<void> {
    for (let body = waiting.shift(); body !== undefined; body = waiting.shift()) {
      while (!(await sendOne(body))) {
        pushedBack += 1;
        await sleep(RETRY_PAUSE_MS);
      }
    }
  }
  async function sendOne(body: Uint8Array): Promise<boolean> {
    const { statusCode, body: answer } = await request(`${gatewayUrl}/v1/traces`, {
      method: 'POST',
      dispatcher: agent,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/x-protobuf' },
      body,
    });
    const text = await answer.text();
    if (statusCode === 200) return true;
    if (statusCode === 429 || statusCode === 503) return false;
    throw new Error(`The gateway answered ${statusCode}: ${text}`);
  }
  await Promise.all(Array.from({ length: concurrency }, work));
  await agent.close();
  return { pushedBack };
}
