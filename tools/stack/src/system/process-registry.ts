import { z } from 'zod';
import { readJson, writeJson } from './files.ts';
import { endProcess, identifyProcess, isAlive, ProcessIdentity } from './process-identity.ts';

const RecordedProcess = ProcessIdentity.extend({ name: z.string() });
const RecordedProcesses = z.array(RecordedProcess);

/**
 * Processes started under a home directory, stored on disk so that a later start finds those that a crash left behind.
 */
export interface ProcessRegistry {
  add(name: string, pid: number): void;
  remove(pid: number): void;
}

/** Registry stored in the file; several registries of one process may share it. */
export function createProcessRegistry(file: string): ProcessRegistry {
  const records = () => readJson(file, RecordedProcesses) ?? [];
  return {
    add(name, pid) {
      const identity = identifyProcess(pid);
      if (identity !== undefined) writeJson(file, [...records(), { name, ...identity }]);
    },
    remove(pid) {
      writeJson(
        file,
        records().filter((record) => record.pid !== pid),
      );
    },
  };
}

/** Recorded processes that are still alive: orphans, if no supervisor runs. */
export function livingRecordedProcesses(file: string): z.infer<typeof RecordedProcesses> {
  return (readJson(file, RecordedProcesses) ?? []).filter((record) => isAlive(record));
}

/** Ends processes left by an earlier run, last started first. Returns their names. */
export async function endRecordedProcesses(file: string, graceMs: number): Promise<string[]> {
  const orphans = livingRecordedProcesses(file).toReversed();
  for (const orphan of orphans) await endProcess(orphan, graceMs);
  return orphans.map((orphan) => orphan.name);
}
