import { eventually } from '@clew/testing';

const RETRY_MS = 100;

/** Repeats a request, as callers with idempotency keys may, until the answer has the status. */
export async function untilAnswered<Answer extends { status: number; body?: unknown }>(
  ask: () => Promise<Answer>,
  status: number,
  timeoutMs = 120_000,
): Promise<Answer> {
  return await eventually(
    async () => {
      const answer = await ask();
      if (answer.status !== status) throw new Error(`answered ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer;
    },
    { timeoutMs, intervalMs: RETRY_MS },
  );
}
