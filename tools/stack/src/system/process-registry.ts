import { z } from 'zod';
import { readJson, writeJson } from './files.ts';
import { endProcess, identifyProcess, isAlive, ProcessIdentity } from './process-identity.ts';

const RecordedProcess = ProcessIdentity.extend({ name: z.string() });
const RecordedProcesses = z.array(RecordedProcess);

/** What was started under a home directory, kept on disk so that a later start finds what a crash left behind. */
export interface ProcessRegistry {
  add(name: string, pid: number): void;
  remove(pid: number): void;
}

/** A registry that keeps its records in the file; several of one process may share it. */
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

/** The recorded processes that still live: orphans, when nobody supervises them. */
export function livingRecordedProcesses(file: string): z.infer<typeof RecordedProcesses> {
  return (readJson(file, RecordedProcesses) ?? []).filter((record) => isAlive(record));
}

/** Ends what is left of an earlier run, last started first. Returns the names of what was ended. */
export async function endRecordedProcesses(file: string, graceMs: number): Promise<string[]> {
  const orphans = livingRecordedProcesses(file).toReversed();
  for (const orphan of orphans) await endProcess(orphan, graceMs);
  return orphans.map((orphan) => orphan.name);
}
