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
  /** Configuration schemas, by the role that reads them. */
  readonly configs: ReadonlyMap<string, z.ZodObject>;
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
    configs: await readConfigs(folder),
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

/**
 * Configuration schemas by role: `config.ts` in `src` is for the whole app, one in a subfolder for the role of that
 * name.
 */
async function readConfigs(folder: string): Promise<Map<string, z.ZodObject>> {
  const configs = new Map<string, z.ZodObject>();
  for (const file of globSync([`${folder}/src/config.ts`, `${folder}/src/*/config.ts`], { cwd: ROOT }).sort()) {
    const role = file.split('/').length === 4 ? 'API' : (file.split('/')[3] ?? '');
    const exported = (await import(pathToFileURL(join(ROOT, file)).href)) as Record<string, unknown>;
    for (const [name, schema] of Object.entries(exported)) {
      if (name.endsWith('Config') && schema instanceof z.ZodObject) configs.set(role, schema);
    }
  }
  return configs;
}
