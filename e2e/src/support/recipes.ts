import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  environmentOf,
  runInstalled,
  whyNotInstalled,
  withProgramFolder,
  type Language,
  type Packages,
} from './packages.ts';
import { runningStack } from './stack.ts';
import type { TestProject } from './test-project.ts';

const RECIPES = join(import.meta.dirname, '../../../docs/recipes.md');
const INSTALL = /^`(?:pip|npm) install ([^`]+)`$/m;
const PROGRAM = /^```(python|ts)\n([\s\S]*?)^```$/m;

/** Versions of the packages that the recipes name, at which they are tested. */
const VERSIONS: Readonly<Record<Language, Packages>> = {
  python: {
    httpx: '0.28.1',
    openai: '3.54.0',
    'opentelemetry-sdk': '1.45.2',
    'opentelemetry-exporter-otlp-proto-http': '1.45.2',
  },
  node: {
    '@opentelemetry/api': '1.10.0',
    '@opentelemetry/sdk-node': '0.301.0',
    '@opentelemetry/exporter-trace-otlp-proto': '0.301.0',
    openai: '7.57.0',
  },
};

/** Program of the recipes, as it stands there. */
export interface Recipe {
  title: string;
  language: Language;
  /** Packages that the recipe has its reader install. */
  packages: readonly string[];
  text: string;
}

/** Output of a recipe, and the files that it left, by name. */
export interface RecipeResult {
  output: string;
  files: Readonly<Record<string, string>>;
}

/** All recipes, by title. */
export function readRecipes(): Recipe[] {
  const [, ...sections] = readFileSync(RECIPES, 'utf8').split(/^## /m);
  return sections.map((section) => {
    const [title = ''] = section.split('\n', 1);
    const [, language, text] = PROGRAM.exec(section) ?? [];
    const [, packages] = INSTALL.exec(section) ?? [];
    if (text === undefined || packages === undefined) throw new Error(`"${title}" has no program, or no installation`);
    return { title, language: language === 'python' ? 'python' : 'node', packages: packages.split(' '), text };
  });
}

/** Runs a recipe for a project. Returns the reason if its packages could not be installed. */
export async function runRecipe(recipe: Recipe, project: TestProject): Promise<RecipeResult | string> {
  const { language, text, packages } = recipe;
  const untested = packages.filter((name) => VERSIONS[language][name] === undefined);
  if (untested.length > 0) throw new Error(`No version is named for ${untested.join(', ')}`);
  let environment: string;
  try {
    environment = await environmentOf(language, VERSIONS[language]);
  } catch (error) {
    return whyNotInstalled(VERSIONS[language], error);
  }
  return await withProgramFolder(async (folder) => {
    const file = language === 'python' ? 'recipe.py' : 'recipe.mts';
    await writeFile(join(folder, file), text);
    const env = { CLEW_URL: runningStack().gatewayUrl, CLEW_API_KEY: project.apiKey, CLEW_PROJECT: project.id };
    const output = await runInstalled({ language, environment, folder, command: [file], env });
    const left = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
    const files = await Promise.all(left.map(async (name) => [name, await readFile(join(folder, name), 'utf8')]));
    return { output, files: Object.fromEntries(files) as RecipeResult['files'] };
  });
}
