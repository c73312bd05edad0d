import { randomInt } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import { runRandomOperations } from '../test-support/random-operations.ts';
import { useTestRuntime, type TestRuntime } from '../test-support/runtime-service.ts';

const OPERATIONS = 5_000;
const HOURS = 3_600_000;

const current = useTestRuntime({ agent: false, installMs: 30, fetchMs: 30 });
let runtime: TestRuntime;

beforeAll(() => {
  runtime = current();
});

it(
  `${OPERATIONS} operations with kills of the agent and of engines leave what is wanted, and nothing else`,
  async () => {
    const seed = randomInt(2 ** 31);
    const result = await runRandomOperations({ runtime, count: OPERATIONS, crashWeight: 1, seed });
    process.stdout.write(`${JSON.stringify({ operations: OPERATIONS, seed, ...result })}\n`);
    expect(result.agentKills).toBeGreaterThan(20);
  },
  2 * HOURS,
);
