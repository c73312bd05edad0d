import { expect, it } from '@jest/globals';
import type { HealthSignals } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { runningStack } from './support/stack.ts';

async function read(): Promise<HealthSignals> {
  const { gatewayUrl, apiKey } = runningStack();
  const response = await fetch(`${gatewayUrl}/v1/health/signals`, { headers: { authorization: `Bearer ${apiKey}` } });
  expect(response.status).toBe(200);
  return ((await response.json()) as { signals: HealthSignals }).signals;
}

it('every signal of a running stack is known, and retention has run in it', async () => {
  await eventually(
    async () => {
      const { dataRetention, ...others } = await read();
      expect(others.repairStatusSync.status).not.toBe('not_mounted');
      for (const signal of Object.values(others)) expect(signal.status).not.toBe('unknown');
      for (const signal of Object.values(dataRetention)) {
        expect(signal).toMatchObject({ status: 'ok', lastRunAt: expect.any(Number) });
      }
      expect(others.queueProcessing.queues.length).toBeGreaterThan(5);
    },
    { timeoutMs: 30_000 },
  );
});
