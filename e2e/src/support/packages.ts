import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sha256Hex } from '@clew/kernel';

const CACHE = process.env['CLEW_CACHE'] ?? join(homedir(), '.cache', 'clew');
const INSTALL_TIMEOUT_MS = 300_000;
const RUN_TIMEOUT_MS = 60_000;
const REGISTRY_TIMEOUT_MS = 30_000;
const run = promisify(execFile);

export type Language = 'python' | 'node';
/** Packages of a language with their versions. */
export type Packages = Readonly<Record<string, string>>;

const registries = new Map<Language, Promise<boolean>>();

/** Whether packages of a language can be had at all. */
export function hasRegistry(language: Language): Promise<boolean> {
  const [file, ...args] =
    language === 'python'
      ? ['python3', '-m', 'pip', 'index', 'versions', 'six']
      : ['npm', 'view', 'zod', 'version', '--fetch-retries=0'];
  const asked =
    registries.get(language) ??
    run(String(file), args, { timeout: REGISTRY_TIMEOUT_MS }).then(
      () => true,
      () => false,
    );
  registries.set(language, asked);
  return asked;
}

const environments = new Map<string, Promise<string>>();

/** Folder in which these packages are installed. It is kept, so packages are installed only once. */
export function environmentOf(language: Language, packages: Packages): Promise<string> {
  const pins = Object.entries(packages).map(([name, version]) => name + (language === 'python' ? '==' : '@') + version);
  const environment = join(CACHE, `sdks-${language}-${sha256Hex(pins.sort().join()).slice(0, 12)}`);
  const made = environments.get(environment) ?? makeEnvironment(language, environment, pins);
  environments.set(environment, made);
  return made;
}

async function makeEnvironment(language: Language, environment: string, pins: readonly string[]) {
  const whole = join(environment, 'installed');
  if (existsSync(whole)) return environment;
  await rm(environment, { recursive: true, force: true });
  await mkdir(environment, { recursive: true });
  await (language === 'python' ? installPython : installNode)(environment, pins);
  await writeFile(whole, '');
  return environment;
}

async function installPython(environment: string, pins: readonly string[]): Promise<void> {
  await run('python3', ['-m', 'venv', environment]);
  const options = ['install', '--quiet', '--disable-pip-version-check', '--retries', '1'];
  await run(join(environment, 'bin', 'pip'), [...options, ...pins], { timeout: INSTALL_TIMEOUT_MS });
}

async function installNode(environment: string, pins: readonly string[]): Promise<void> {
  await writeFile(join(environment, 'package.json'), '{"private":true}');
  const options = [
    'install',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    '--ignore-scripts',
    '--loglevel=error',
    '--fetch-retries=0',
  ];
  await run('npm', [...options, ...pins], { cwd: environment, timeout: INSTALL_TIMEOUT_MS });
}

/** Says why packages could not be installed. */
export function whyNotInstalled(packages: Packages, error: unknown): string {
  const said = String((error as { stderr?: string }).stderr ?? error).slice(0, 500);
  return `not all of ${Object.keys(packages).join(', ')} could be installed: ${said}`;
}

export interface InstalledProgram {
  language: Language;
  /** Folder with its packages. */
  environment: string;
  /** Folder with its files, which it runs in. */
  folder: string;
  /** File of the program, and its command-line arguments. */
  command: readonly [file: string, ...args: string[]];
  env: NodeJS.ProcessEnv;
}

/** Runs a program to its end. Returns what it printed. */
export async function runInstalled(program: InstalledProgram): Promise<string> {
  const { language, environment, folder, command, env } = program;
  const [file, ...args] = command;
  if (language === 'node') await symlink(join(environment, 'node_modules'), join(folder, 'node_modules'));
  const interpreter = language === 'node' ? process.execPath : join(environment, 'bin', 'python');
  const options = { cwd: folder, timeout: RUN_TIMEOUT_MS, env: { ...withoutNodeOptions(), ...env } };
  return (await run(interpreter, [join(folder, file), ...args], options)).stdout;
}

/** Calls `use` with a new folder, which is removed afterwards. */
export async function withProgramFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-sdk-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Environment without the NODE_OPTIONS of Jest, which do not concern the programs. */
function withoutNodeOptions(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return env;
}
