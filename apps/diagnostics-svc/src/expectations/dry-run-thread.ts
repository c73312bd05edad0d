import { parentPort, workerData } from 'node:worker_threads';
import { getSnapshot, type ExpectationCheck } from '@clew/contracts';
import { readJson } from '@clew/kernel';
import { evaluateExpectation, inContent } from '@clew/rules';
import type { BrokenExample, TriedSnapshot } from './try-in-thread.ts';

const { check } = workerData as { check: ExpectationCheck };

parentPort?.on('message', (snapshotJson: Uint8Array | null) => {
  if (snapshotJson === null) parentPort?.close();
  else parentPort?.postMessage(tried(snapshotJson));
});

function tried(snapshotJson: Uint8Array): TriedSnapshot {
  try {
    return { isRead: true, example: exampleOf(snapshotJson) };
  } catch {
    return { isRead: false };
  }
}

function exampleOf(snapshotJson: Uint8Array): BrokenExample | undefined {
  const snapshot = getSnapshot.responses[200].parse(readJson(new TextDecoder().decode(snapshotJson)));
  const violations = evaluateExpectation({ check }, snapshot);
  const [first] = violations;
  if (first === undefined) return undefined;
  const { conversationId, snapshotId } = snapshot;
  const { traceId, spanId, index } = first.message;
  const [{ quote, message }] = first.evidence;
  return {
    ...{ conversationId, snapshotId, violations: violations.length, reason: first.reason },
    location: {
      traceId,
      spanId,
      stepIndex: index,
      quotes: quote === undefined ? [] : [inContent(quote, message.index)],
    },
  };
}
