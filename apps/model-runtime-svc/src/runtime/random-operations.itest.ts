import { beforeAll, expect, it } from '@jest/globals';
import { runRandomOperations } from '../test-support/random-operations.ts';
import { useTestRuntime, type TestRuntime } from '../test-support/runtime-service.ts';

const current = useTestRuntime({ agent: false, installMs: 30, fetchMs: 30 });
let runtime: TestRuntime;

beforeAll(() => {
  runtime = current();
});

it('whatever is installed, fetched, started, removed and killed: what is wanted is there, and nothing else', async () => {
  const result = await runRandomOperations({ runtime, count: 200, crashWeight: 1, seed: 20_261_121 });
  expect(result.agentKills).toBeGreaterThan(0);
  expect(result.statuses[202]).toBeGreaterThan(15);
}, 120_000);
