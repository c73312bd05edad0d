import type { analysisCompleted, EnvelopeOf } from '@clew/contracts';
import { MAX_MESSAGE_BYTES } from '@clew/messaging';

export type RunResult = EnvelopeOf<typeof analysisCompleted>['data']['runs'][number];

/** Results are taken a hundred at a time, so that each message should be small. */
const MAX_PART_BYTES = 1024 * 1024;
/** What a message holds beside its runs: ids, and the names that an application gave. */
const ENVELOPE_BYTES = 16 * 1024;

/** The results of a command's runs in as many messages as their size asks for, each run whole in one of them. */
export function inParts(
  runs: readonly RunResult[],
  { maxPartBytes = MAX_PART_BYTES, maxRunBytes = MAX_MESSAGE_BYTES - ENVELOPE_BYTES } = {},
): RunResult[][] {
  const parts: RunResult[][] = [];
  let roomBytes = 0;
  for (const given of runs) {
    const givenBytes = Buffer.byteLength(JSON.stringify(given));
    const [run, bytes] = givenBytes > maxRunBytes ? [tooLarge(given), 0] : [given, givenBytes];
    if (parts.length === 0 || bytes > roomBytes) {
      parts.push([]);
      roomBytes = maxPartBytes;
    }
    parts.at(-1)?.push(run);
    roomBytes -= bytes;
  }
  return parts;
}

/** A result that no message can hold would fail at every attempt, and take the other runs with it. */
function tooLarge({ runId, ruleId }: RunResult): RunResult {
  return { runId, ruleId, outcome: { status: 'failed', reason: 'The result is too large' } };
}
