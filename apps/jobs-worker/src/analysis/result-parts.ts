import type { analysisCompleted, EnvelopeOf } from '@clew/contracts';
import { inParts } from '@clew/kernel';
import { MAX_MESSAGE_BYTES } from '@clew/messaging';

export type RunResult = EnvelopeOf<typeof analysisCompleted>['data']['runs'][number];

/** Results are taken a hundred at a time, so that each message should be small. */
const MAX_PART_BYTES = 1024 * 1024;
/** What a message holds beside its runs: ids, and the names that an application gave. */
const ENVELOPE_BYTES = 16 * 1024;

/** The results of a command's runs in as many messages as their size asks for, each run whole in one of them. */
export function resultParts(
  runs: readonly RunResult[],
  { maxPartBytes = MAX_PART_BYTES, maxRunBytes = MAX_MESSAGE_BYTES - ENVELOPE_BYTES } = {},
): RunResult[][] {
  const sized = runs.map((run) => {
    const bytes = Buffer.byteLength(JSON.stringify(run));
    return bytes > maxRunBytes ? { run: tooLarge(run), bytes: 0 } : { run, bytes };
  });
  return inParts(sized, ({ bytes }) => bytes, maxPartBytes).map((part) => part.map(({ run }) => run));
}

/** A result that no message can hold would fail at every attempt, and take the other runs with it. */
function tooLarge({ runId, ruleId }: RunResult): RunResult {
  return { runId, ruleId, outcome: { status: 'failed', reason: 'The result is too large' } };
}
