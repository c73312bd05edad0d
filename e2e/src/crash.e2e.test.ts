import { describe, expect, it } from '@jest/globals';
import { killAndAwaitRecovery, type Victim } from './support/chaos.ts';
import { expectAnalysedOnce, expectFindings, expectStoredOnce } from './support/crash-checks.ts';
import { inBatches, manySpans, partition } from './support/crash-load.ts';
import { sendUntilAcknowledged, type Acknowledged } from './support/persistent-sender.ts';
import { createTestProject } from './support/test-project.ts';

/** Spans to send: 5,000 in the long tier. */
const SPAN_COUNT = Number(process.env['CLEW_CRASH_SPANS'] ?? 400);
const TIMEOUT_MS = 900_000;

const app = (name: string): Victim => ({ kind: 'app', name });

/** Victims that are killed together, one group after the other. The spans pass through no process of the last group. */
const VICTIMS: readonly (readonly Victim[])[] = [
  ...['gateway', 'telemetry-ingest', 'telemetry-warehouse', 'diagnostics-svc', 'jobs-worker'].map((name) => [
    app(name),
  ]),
  [{ kind: 'server', name: 'rabbitmq' }],
  ['datasets-svc', 'model-runtime-svc', 'model-runtime-agent'].map(app),
];

describe('kill -9 while spans are sent', () => {
  it(
    'every acknowledged span is stored once, every snapshot analysed once, one occurrence per conversation',
    async () => {
      const project = await createTestProject('crash');
      const { spans, failingCount, conversationCount } = manySpans(SPAN_COUNT);
      const acknowledged: Acknowledged = new Set();
      const parts = partition(inBatches(spans), VICTIMS.length);
      for (const [index, victims] of VICTIMS.entries()) {
        await Promise.all([
          sendUntilAcknowledged(project.apiKey, parts[index] ?? [], acknowledged),
          ...victims.map(killAndAwaitRecovery),
        ]);
      }
      expect(acknowledged.size).toBe(spans.length);
      await expectStoredOnce(project, spans, acknowledged);
      await expectFindings(project, failingCount, conversationCount);
      await expectAnalysedOnce(project);
      process.stdout.write(
        `${JSON.stringify({ acknowledged: acknowledged.size, conversations: conversationCount, killed: VICTIMS.flat().map(({ name }) => name) })}\n`,
      );
    },
    TIMEOUT_MS,
  );
});
