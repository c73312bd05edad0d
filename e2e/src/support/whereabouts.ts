import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { storedText, textInTheClear } from '@clew/testing';
import type { Connection } from 'mongoose';
import { withMongo } from './database.ts';
import { waitingMessages } from './queues.ts';
import { stackHome } from './stack.ts';

/** Folders of the stack that hold files of the services and their logs. */
const DIRECTORIES = ['models', 'logs'] as const;
/** Larger files are downloaded models, and are not searched. */
const MAX_SEARCHED_BYTES = 64 * 1024 * 1024;

type Held = [place: string, text: string];

/**
 * Places that hold each of the texts: collections of all databases (compressed values included), files and logs, and
 * messages in retry and dead-letter queues. The search reads everything that other tests have left, which takes long:
 * search for several texts in one call.
 */
export async function whereAre<Text extends string>(...texts: readonly Text[]): Promise<Record<Text, string[]>> {
  const found = Object.fromEntries(texts.map((text) => [text, [] as string[]])) as Record<Text, string[]>;
  for (const places of [inDatabases(), inFiles(), waitingMessages()]) {
    for await (const [place, held] of places) {
      for (const text of texts) if (held.includes(text)) found[text].push(place);
    }
  }
  return found;
}

async function* inDatabases(): AsyncGenerator<Held> {
  for (const name of await withMongo(ownDatabases)) {
    const texts = await withMongo((connection) => storedText(connection.getClient().db(name)));
    for (const [collection, held] of texts) yield [`${name}.${collection}`, held];
  }
}

async function ownDatabases(connection: Connection): Promise<string[]> {
  const { databases } = await connection.getClient().db().admin().listDatabases({ nameOnly: true });
  return databases.map(({ name }) => name).filter((name) => name.startsWith('clew_'));
}

async function* inFiles(): AsyncGenerator<Held> {
  for (const directory of DIRECTORIES) {
    const root = join(stackHome(), directory);
    const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries.filter((each) => each.isFile())) {
      const file = join(entry.parentPath, entry.name);
      yield [`${directory}/${file.slice(root.length + 1)}`, await textOf(file)];
    }
  }
}

/** Text of a file; empty if it is gone by now. */
async function textOf(file: string): Promise<string> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size === 0 || size > MAX_SEARCHED_BYTES) return '';
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  try {
    return textInTheClear(bytes);
  } catch {
    // The bytes only look compressed.
    return bytes.toString();
  }
}
