import { z } from 'zod';
import { StackError } from '../system/errors.ts';
import { writeJson, readJson } from '../system/files.ts';
import { CommandError, run } from '../system/run.ts';
import { scriptArguments } from './app-programs.ts';
import type { AppPrograms } from './app-programs.ts';
import { GATEWAY } from './apps.ts';
import type { AppDefinition } from './apps.ts';
import type { Home } from './home.ts';
import type { Step } from './progress.ts';
import { Keys } from './secrets.ts';
import { findSeedScript, runSeedScript, type SeedScriptOptions } from './seed-script.ts';

const MIGRATION_TIMEOUT_MS = 300_000;
const BOOTSTRAP_TIMEOUT_MS = 60_000;
/** Address of the owner of a development stack; no mail is ever sent there. */
const ADMIN_EMAIL = 'owner@clew.local';

/** Environment and abort signal of a script that is run to its end. */
export interface ScriptContext {
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** Runs the migrations of one application. */
export async function migrateApp(programs: AppPrograms, app: AppDefinition, context: ScriptContext): Promise<void> {
  const script = scriptArguments(programs, app.name, 'migrate');
  await runScript(script, `the migrations of ${app.name} failed`, { ...context, timeoutMs: MIGRATION_TIMEOUT_MS });
}

/** Creates the first workspace, its two projects and their keys. */
export async function bootstrapKeys(programs: AppPrograms, context: ScriptContext): Promise<Keys> {
  const script = scriptArguments(programs, GATEWAY, 'bootstrap');
  const projects = ['--project', 'Sample project', '--second-project', 'Other project'];
  const args = [...projects, '--admin', ADMIN_EMAIL, '--output', 'json'];
  const stdout = await runScript([...script, ...args], 'the first project and key could not be made', {
    ...context,
    // Log lines are JSON too, so they are kept out of the output.
    env: { ...context.env, LOG_LEVEL: 'error' },
    timeoutMs: BOOTSTRAP_TIMEOUT_MS,
  });
  const keys = stdout
    .split('\n')
    .map(parseKeys)
    .find((candidate) => candidate !== undefined);
  if (keys === undefined) throw new StackError(`bootstrap printed no keys:\n${stdout}`);
  return keys;
}

function parseKeys(line: string): Keys | undefined {
  try {
    return Keys.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

const SeedMarker = z.object({ projectId: z.string() });

/**
 * Puts the sample data into the project, once. A failed seed is reported but does not affect the stack, which works
 * without sample data.
 */
export async function seedSampleData(options: SeedScriptOptions & { home: Home }, step: Step): Promise<void> {
  const { home, keys } = options;
  const script = findSeedScript(options.repositoryRoot, 'main.ts');
  if (options.env['CLEW_SEED'] === 'none') return step.skip('not wanted (CLEW_SEED=none)');
  if (script === undefined) return step.skip('there is no sample data (tools/seed is missing)');
  if (readJson(home.seedFile, SeedMarker)?.projectId === keys.projectId)
    return step.skip('sample data is there already');
  try {
    await runSeedScript(script, options, (line) => step.note(line));
    writeJson(home.seedFile, { projectId: keys.projectId } satisfies z.infer<typeof SeedMarker>);
    step.summary('sample data loaded');
  } catch (error) {
    if (!(error instanceof CommandError) || options.signal.aborted) throw error;
    step.skip('the sample data could not be loaded; the stack serves without it, and the next start tries again');
  }
}

async function runScript(
  args: readonly string[],
  failure: string,
  options: ScriptContext & { timeoutMs: number },
): Promise<string> {
  try {
    return (await run(process.execPath, args, options)).stdout;
  } catch (error) {
    if (!(error instanceof CommandError) || options.signal.aborted) throw error;
    throw new StackError(`${failure}: ${error.message}\n${error.output.trimEnd()}`);
  }
}
