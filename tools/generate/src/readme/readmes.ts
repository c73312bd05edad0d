import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RouteSpec } from '@clew/contracts';
import { format, resolveConfig } from 'prettier';
import { ROOT, type AppFacts } from './apps.ts';
import { SECTIONS } from './sections.ts';

const MARKED = /(<!-- generated: ([a-z ]+) -->\n)[\s\S]*?(<!-- \/generated -->)/g;

/** README of an app with newly generated text between its markers. */
export async function generatedReadme(app: AppFacts, routes: readonly RouteSpec[]): Promise<string> {
  const path = join(ROOT, app.readme);
  const present = await readFile(path, 'utf8');
  const made = present.replace(MARKED, (_all, begin: string, name: string, end: string) => {
    const section = SECTIONS[name];
    if (section === undefined) throw new Error(`${app.readme}: nothing makes "${name}"`);
    return `${begin}\n${section(app, routes)}\n\n${end}`;
  });
  return await format(made, { ...(await resolveConfig(path)), parser: 'markdown' });
}

/** Names of the generated sections of a README. */
export function sectionsOf(readme: string): string[] {
  return [...readme.matchAll(MARKED)].map(([, , name = '']) => name);
}
