import path from 'node:path';
import { z } from 'zod';
import { reasonOf, StackError } from '../system/errors.ts';
import { readJson, writeJson } from '../system/files.ts';
import type { ProvisionContext } from './context.ts';

/** Location of a server's data, which other kinds of sources cannot see. */
export type Storage = 'external' | 'docker' | 'local';

/** One way to get a server. The attempt throws if it does not work here. */
export interface Source<T> {
  name: string;
  storage: Storage;
  attempt: () => Promise<T>;
}

const Choice = z.object({ source: z.string(), storage: z.enum(['external', 'docker', 'local']) });
type Choice = z.infer<typeof Choice>;
const Choices = z.record(z.string(), Choice);

export interface Subject {
  /** Name of the server, such as "MongoDB". */
  title: string;
  /** Advice for the user if no source works. */
  help: string;
}

/**
 * Tries the sources in order and uses the first that works. The choice is stored in the home directory, because only
 * the same kind of source finds the data of the chosen server again.
 */
export async function firstThatWorks<T>(
  subject: Subject,
  sources: readonly Source<T>[],
  context: Pick<ProvisionContext, 'home' | 'log' | 'signal'>,
): Promise<T> {
  const file = path.join(context.home, 'servers.json');
  const remembered = readJson(file, Choices)?.[subject.title];
  const reasons: string[] = [];
  for (const source of orderSources(sources, remembered)) {
    try {
      const value = await source.attempt();
      // A server named in the environment is used only as long as it is named there.
      if (source.storage !== 'external') {
        writeJson(file, {
          ...readJson(file, Choices),
          [subject.title]: { source: source.name, storage: source.storage },
        });
      }
      return value;
    } catch (error) {
      context.signal.throwIfAborted();
      if (source.storage === 'external' || error instanceof StackError) throw error;
      reasons.push(`${source.name}: ${reasonOf(error)}`);
      context.log(`not from ${source.name}: ${reasonOf(error)}`);
    }
  }
  const narrowed =
    remembered === undefined
      ? ''
      : `\nOnly what can read the data of this stack was tried (${remembered.storage === 'docker' ? 'it is in a Docker volume' : 'it is in files'}); "npm run stack -- reset" begins anew.`;
  throw new StackError(
    `${subject.title} could not be provided:\n${reasons.map((reason) => `  - ${reason}`).join('\n')}`,
    `${subject.help}${narrowed}`,
  );
}

function orderSources<T>(sources: readonly Source<T>[], remembered: Choice | undefined): readonly Source<T>[] {
  const external = sources.filter((source) => source.storage === 'external');
  if (external.length > 0) return external;
  if (remembered === undefined) return sources;
  const sameStorage = sources.filter((source) => source.storage === remembered.storage);
  const isRemembered = (source: Source<T>) => source.name === remembered.source;
  return [...sameStorage.filter(isRemembered), ...sameStorage.filter((source) => !isRemembered(source))];
}
