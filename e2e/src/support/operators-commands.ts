import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withMongo } from './database.ts';

const DOCUMENTS = join(import.meta.dirname, '../../../docs/operations');

/** Commands that replace those of mongosh, which may not be installed. */
const OF_MONGOSH: Readonly<Record<string, Record<string, unknown>>> = {
  'db.fsyncLock()': { fsync: 1, lock: true },
  'db.fsyncUnlock()': { fsyncUnlock: 1 },
};

/** Shell commands of a page of the operations documentation, one list per code block. */
export function commandsOf(page: string): string[][] {
  const text = readFileSync(join(DOCUMENTS, page), 'utf8');
  return [...text.matchAll(/^ *```sh\n([^]*?)^ *```/gm)].map(([, block = '']) =>
    block
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );
}

/** Runs the commands in order; those for mongosh go through the driver. */
export async function runCommands(commands: readonly string[], env: Record<string, string>): Promise<void> {
  for (const command of commands) {
    const told = /^mongosh "\$MONGO_URL" --eval '(.+)'$/.exec(command)?.[1];
    if (told === undefined) execFileSync('sh', ['-ec', command], { env: { ...process.env, ...env } });
    else await tellMongo(env['MONGO_URL'] ?? '', told);
  }
}

async function tellMongo(url: string, told: string): Promise<void> {
  const command = OF_MONGOSH[told];
  if (command === undefined) throw new Error(`Nobody knows how to do without mongosh: ${told}`);
  await withMongo(async (connection) => {
    await connection.getClient().db('admin').command(command);
  }, url);
}
