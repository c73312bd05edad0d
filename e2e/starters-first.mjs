// Order in which Jest runs the end-to-end files: two workers share them, so the longest should not begin last. A clean
// clone has no earlier times. Size alone tells little: files that start or kill processes, or measure waits, take long.
import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';

const WAITS_FOR_PROCESSES = /killAndAwaitRecovery|startBeside|measureFairness|fairnessOf/;

export default class StartersFirst extends Sequencer {
  sort(tests) {
    const bySize = super.sort(tests);
    if (bySize.every(({ duration }) => duration !== undefined)) return bySize;
    const waits = new Map(bySize.map((test) => [test, WAITS_FOR_PROCESSES.test(readFileSync(test.path, 'utf8'))]));
    return bySize.toSorted((one, other) => Number(waits.get(other)) - Number(waits.get(one)));
  }
}
