import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { useTestEnvironment } from '@clew/testing';
import { runRandomOperations } from '../test-support/random-operations.ts';
import { startTestRuntime, type TestRuntime } from '../test-support/runtime-service.ts';

const OPERATIONS = 5_000;
const HOURS = 3_600_000;

const environment = useTestEnvironment();
let runtime: TestRuntime;

beforeAll(async () => {
  runtime = await startTestRuntime(environment, { installMs: 50, fetchMs: 50 });
}, 60_000);

afterAll(() => runtime.stop());

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
