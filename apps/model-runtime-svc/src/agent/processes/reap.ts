import { endProcesses, processesMarked } from '../../engine-host/index.ts';
import { isRecordedProcess, markOf, type ProcessRecords } from './records.ts';

/**
 * Ends what an earlier agent of this node has left running: the recorded processes, and what carries their mark. A
 * process that merely has the number of one, or only some of its marks, is left alone. Returns how many were ended.
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
