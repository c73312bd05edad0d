import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MongoClient } from 'mongodb';
import { processorMs } from './processor-time.ts';

/** Resources used so far; the difference of two values is the usage in between. */
export interface Usage {
  /** Processor time in milliseconds, by process. */
  processorMs: Record<string, number>;
  mongoCommands: number;
  transactions: number;
  documentsWritten: number;
}

/** Processes of a stack by name, including the servers. */
export function processesOf(home: string): Record<string, number> {
  const records = JSON.parse(readFileSync(join(home, 'processes.json'), 'utf8')) as { name: string; pid: number }[];
  return Object.fromEntries(records.map(({ name, pid }) => [name, pid]));
}

/** Commands that do work for a client, as opposed to those that maintain its connections. */
const COUNTED_COMMANDS = [
  ...['find', 'getMore', 'aggregate', 'count', 'distinct'],
  ...['insert', 'update', 'delete', 'findAndModify', 'bulkWrite'],
  ...['commitTransaction', 'abortTransaction'],
];

export async function usageOf(client: MongoClient, processes: Record<string, number>): Promise<Usage> {
  const status = await client.db('admin').command({ serverStatus: 1 });
  const metrics = status['metrics'] as {
    commands: Record<string, { total?: number | { toNumber(): number } }>;
    document: Record<'inserted' | 'updated' | 'deleted', number>;
  };
  const { inserted, updated, deleted } = metrics.document;
  return {
    processorMs: Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, treeMs(pid)])),
    mongoCommands: COUNTED_COMMANDS.reduce((sum, name) => sum + Number(metrics.commands[name]?.total ?? 0), 0),
    transactions: Number((status['transactions'] as { totalCommitted: number }).totalCommitted),
    documentsWritten: Number(inserted) + Number(updated) + Number(deleted),
  };
}

export function usedBetween(before: Usage, after: Usage): Usage {
  const names = Object.keys(after.processorMs);
  return {
    processorMs: Object.fromEntries(
      names.map((name) => [name, (after.processorMs[name] ?? 0) - (before.processorMs[name] ?? 0)]),
    ),
    mongoCommands: after.mongoCommands - before.mongoCommands,
    transactions: after.transactions - before.transactions,
    documentsWritten: after.documentsWritten - before.documentsWritten,
  };
}

/** Processor milliseconds of a process and its descendants: a script starts some of the servers. */
function treeMs(root: number): number {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(Number(name))]),
  );
  const belongs = (pid: number | undefined): boolean =>
    pid === root || (pid !== undefined && belongs(parents.get(pid)));
  return [...parents.keys()].filter(belongs).reduce((sum, pid) => sum + (processorMs(pid) ?? 0), 0);
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
