import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

export const ROOT = join(import.meta.dirname, '../../../..');

/** Facts about an app, read from its code. */
export interface AppFacts {
  readonly name: string;
  /** Path from the root of the repository. */
  readonly readme: string;
  /** Schema of its configuration. */
  readonly config: z.ZodObject;
  /** Texts of its source files, without tests. */
  readonly sources: readonly string[];
}

/** Every app of the repository, which is every folder with a configuration. */
export async function readApps(): Promise<AppFacts[]> {
  const names = globSync('apps/*/src/config.ts', { cwd: ROOT }).map((file) => file.split('/')[1] ?? '');
  return await Promise.all(names.sort().map(readApp));
}

async function readApp(name: string): Promise<AppFacts> {
  const folder = `apps/${name}`;
  return {
    name,
    readme: `${folder}/README.md`,
    config: await readConfig(folder),
    sources: readSources(`${folder}/src`),
  };
}

/** Texts of the source files below a folder, without those of tests. */
export function readSources(folder: string): string[] {
  return globSync(`${folder}/**/*.ts`, { cwd: ROOT })
    .filter((file) => !/\.[il]?test\.ts$|\/test(?:ing|-support)\//.test(file))
    .sort()
    .map((file) => readFileSync(join(ROOT, file), 'utf8'));
}

async function readConfig(folder: string): Promise<z.ZodObject> {
  const file = pathToFileURL(join(ROOT, folder, 'src/config.ts')).href;
  const exported = Object.entries((await import(file)) as Record<string, unknown>);
  const schema = exported.find(([name, value]) => name.endsWith('Config') && value instanceof z.ZodObject)?.[1];
  if (schema === undefined) throw new Error(`${folder}/src/config.ts exports no schema`);
  return schema as z.ZodObject;
}
