import path from 'node:path';
import { MongoClient } from 'mongodb';
import { digestOfSources } from './digest.ts';
import type { Start } from './start.ts';

/** Database of the stack itself, where it keeps which sources have migrated the others. */
const DATABASE = 'clew_stack';

interface Applied {
  _id: 'migrations';
  sources: string;
}

/**
 * Digest of all that decides what migrations do; undefined for built applications, which may be older than their
 * sources.
 */
export function digestOfMigrations({ programs, repositoryRoot, options }: Start): string | undefined {
  if (programs.form === 'built') return undefined;
  const apps = path.relative(repositoryRoot, programs.appsDirectory);
  const sources = digestOfSources(repositoryRoot, [apps, 'libs', 'package-lock.json']);
  // A database of another name has not been migrated.
  return `${sources} ${options.env['MONGO_DATABASE'] ?? ''}`;
}

/** Whether these sources were the last ones that migrated the databases of this server. */
export async function areMigrationsApplied(mongoUrl: string, digest: string): Promise<boolean> {
  return await withOwnRecord(mongoUrl, async (records) => {
    const applied = await records.findOne({ _id: 'migrations' });
    return applied?.sources === digest;
  });
}

/** Records beside the databases themselves that these sources have migrated them, so that both are lost together. */
export async function recordMigrations(mongoUrl: string, digest: string): Promise<void> {
  await withOwnRecord(mongoUrl, (records) =>
    records.updateOne({ _id: 'migrations' }, { $set: { sources: digest } }, { upsert: true }),
  );
}

async function withOwnRecord<Result>(
  mongoUrl: string,
  use: (records: ReturnType<typeof recordsOf>) => Promise<Result>,
): Promise<Result> {
  const client = new MongoClient(mongoUrl, { serverSelectionTimeoutMS: 10_000 });
  try {
    return await use(recordsOf(client));
  } finally {
    await client.close();
  }
}

const recordsOf = (client: MongoClient) => client.db(DATABASE).collection<Applied>('applied');
