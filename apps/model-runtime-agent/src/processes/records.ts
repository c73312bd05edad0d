import { readJson } from '@clew/kernel';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { bootId, NONCE_VARIABLE, startTimeOf, variableOf } from '../engine-host/index.ts';

/** Record of a process that this node's agent has started; kept on disk for as long as the process may run. */
export const ProcessRecord = z.object({
  resourceId: z.string(),
  generation: z.int(),
  /** Null until the process is started. */
  pid: z.int().min(2).nullable(),
  startTime: z.string().nullable(),
  bootId: z.string(),
  port: z.int(),
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
});
export type ProcessRecord = z.infer<typeof ProcessRecord>;

export interface ProcessRecords {
  write(record: ProcessRecord): Promise<void>;
  remove(nonce: string): Promise<void>;
  /** Removes records that were not written completely: their process was not started, or has an earlier record. */
  removeUnfinished(): Promise<void>;
  /** Lists the records that an agent left behind when it was killed. */
  list(): Promise<ProcessRecord[]>;
}

const UNFINISHED = '.new';

/** Keeps records in a folder of the node, one file each. */
export function createProcessRecords(folder: string): ProcessRecords {
  const fileOf = (nonce: string) => join(folder, `${nonce}.json`);
  const filesWith = async (ending: string) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return (await readdir(folder)).filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
  };
  return {
    async write(record) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = fileOf(record.nonce);
      await writeFile(`${file}${UNFINISHED}`, JSON.stringify(record));
      await rename(`${file}${UNFINISHED}`, file);
    },
    remove: (nonce) => rm(fileOf(nonce), { force: true }),
    async removeUnfinished() {
      await Promise.all((await filesWith(UNFINISHED)).map((file) => rm(file, { force: true })));
    },
    async list() {
      const records = await Promise.all((await filesWith('.json')).map(readRecord));
      return records.filter((record) => record !== undefined);
    },
  };
}

async function readRecord(file: string): Promise<ProcessRecord | undefined> {
  try {
    return ProcessRecord.parse(readJson(await readFile(file, 'utf8')));
  } catch {
    // Not a valid record: written by another version, or by something else.
    return undefined;
  }
}

/** Whether the process that now has the number is the recorded one: every mark must match. */
export function isRecordedProcess(record: ProcessRecord): boolean {
  return (
    record.pid !== null &&
    record.startTime !== null &&
    record.bootId === bootId() &&
    startTimeOf(record.pid) === record.startTime &&
    variableOf(record.pid, NONCE_VARIABLE) === markOf(record)
  );
}

/** Mark that a process and all its descendants carry in their environment. */
export function markOf({ nonce, generation, port }: Pick<ProcessRecord, 'nonce' | 'generation' | 'port'>): string {
  return `${nonce}.${generation}.${port}`;
}
