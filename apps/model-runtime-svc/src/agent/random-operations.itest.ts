import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { useTestEnvironment } from '@clew/testing';
import { runRandomOperations } from '../test-support/random-operations.ts';
import { startTestRuntime, type TestRuntime } from '../test-support/runtime-service.ts';

const environment = useTestEnvironment();
let runtime: TestRuntime;

beforeAll(async () => {
  runtime = await startTestRuntime(environment, { installMs: 30, fetchMs: 30 });
}, 60_000);

afterAll(() => runtime.stop());

it('whatever is installed, fetched, started, removed and killed: what is wanted is there, and nothing else', async () => {
  const result = await runRandomOperations({ runtime, count: 200, crashWeight: 1, seed: 20_261_121 });
  expect(result.agentKills).toBeGreaterThan(0);
  expect(result.statuses[202]).toBeGreaterThan(30);
}, 120_000);
