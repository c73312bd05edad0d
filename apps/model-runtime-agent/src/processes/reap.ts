import { endProcesses, processesMarked } from '../engine-host/index.ts';
import { isRecordedProcess, markOf, type ProcessRecords } from './records.ts';

/**
 * Ends processes that an earlier agent of this node has left running: the recorded ones, and all that carry their mark.
 * A process that only has the same number, or only some of the marks, is left alone. Returns the number ended.
 */
export async function reapLeftProcesses(records: ProcessRecords): Promise<number> {
  await records.removeUnfinished();
  let count = 0;
  for (const record of await records.list()) {
    const left = new Set(processesMarked(markOf(record)));
    if (record.pid !== null && isRecordedProcess(record)) left.add(record.pid);
    await endProcesses([...left]);
    count += left.size;
    await records.remove(record.nonce);
  }
  return count;
}
