import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sha256Hex } from '@clew/kernel';

const PROGRAMS = join(import.meta.dirname, '../../sdks');
const CACHE = process.env['CLEW_CACHE'] ?? join(homedir(), '.cache', 'clew');
const INSTALL_TIMEOUT_MS = 300_000;
const RUN_TIMEOUT_MS = 60_000;
const REGISTRY_TIMEOUT_MS = 30_000;
const run = promisify(execFile);

/** Program that calls models with an SDK, with the packages it needs at the tested versions. */
export interface SdkProgram {
  language: 'python' | 'node';
  /** File of the program, and its command-line arguments. */
  command: readonly [file: string, ...args: string[]];
  packages: Readonly<Record<string, string>>;
}

const PYTHON: Readonly<Record<string, string>> = {
  openai: '3.54.0',
  'opentelemetry-sdk': '1.45.2',
  'opentelemetry-exporter-otlp-proto-http': '1.45.2',
};
const NODE: Readonly<Record<string, string>> = {
  '@opentelemetry/api': '1.10.0',
  '@opentelemetry/sdk-node': '0.301.0',
};
const NODE_OPENAI = { ...NODE, openai: '6.30.1' };
const AI = { ...NODE, ai: '7.0.173', '@ai-sdk/otel': '1.0.173', '@ai-sdk/openai-compatible': '3.0.92', zod: '4.6.7' };
const OPENTELEMETRY = {
  ...PYTHON,
  'opentelemetry-instrumentation-openai-v2': '2.4b0',
  // Newest version that the instrumentation can import; httpx is imported without being declared as a dependency.
  'opentelemetry-util-genai': '1.1b0',
  httpx: '0.28.1',
};

function python(file: string, packages: Readonly<Record<string, string>>): SdkProgram {
  return { language: 'python', command: [file], packages: { ...PYTHON, ...packages } };
}

function instrumented(name: string, version: string): SdkProgram {
  return { language: 'node', command: ['with-openai.mjs', name], packages: { ...NODE_OPENAI, [name]: version } };
}

/** Programs in Python that run all kinds of chats. */
export const PYTHON_PROGRAMS: Readonly<Record<string, SdkProgram>> = {
  'OpenInference for Python': python('with_openinference.py', { 'openinference-instrumentation-openai': '0.1.66' }),
  'OpenTelemetry for Python, with events': python('with_opentelemetry.py', OPENTELEMETRY),
  'Traceloop for Python': python('with_traceloop.py', { 'opentelemetry-instrumentation-openai': '0.62.4' }),
  'Langfuse with LangChain': python('with_langfuse.py', {
    langfuse: '5.0.4',
    langchain: '1.4.7',
    'langchain-openai': '1.7.3',
  }),
};

/** Programs for Node that run all kinds of chats. */
export const NODE_PROGRAMS: Readonly<Record<string, SdkProgram>> = {
  'OpenTelemetry for Node': instrumented('@opentelemetry/instrumentation-openai', '0.22.0'),
  'OpenInference for Node': instrumented('@arizeai/openinference-instrumentation-openai', '4.2.7'),
  'Traceloop for Node': instrumented('@traceloop/instrumentation-openai', '0.27.0'),
  'Vercel AI SDK': { language: 'node', command: ['with-ai.mjs', 'OpenTelemetry'], packages: AI },
  'Vercel AI SDK, with its own attributes': {
    ...{ language: 'node', packages: AI },
    command: ['with-ai.mjs', 'LegacyOpenTelemetry'],
  },
};

/** Program whose instrumentation records the calls, but no message content. */
export const SDK_WITHOUT_CONTENT = python('with_opentelemetry_defaults.py', OPENTELEMETRY);

/**
 * Folder in which the packages of a program are installed: together with those of all programs of its language, or
 * alone if some package of the others cannot be installed. The folder is kept, so packages are installed only once.
 */
async function installed(program: SdkProgram): Promise<string> {
  const { language } = program;
  const others = [...Object.values({ ...PYTHON_PROGRAMS, ...NODE_PROGRAMS }), SDK_WITHOUT_CONTENT].filter(
    (other) => other.language === language,
  );
  const all = Object.assign({}, ...others.map(({ packages }) => packages)) as SdkProgram['packages'];
  return await environmentOf(language, all).catch(async (error: unknown) => {
    // Without a registry, every separate installation would run into its time limit.
    if (!(await hasRegistry(language))) throw error;
    return await environmentOf(language, program.packages);
  });
}

const registries = new Map<SdkProgram['language'], Promise<boolean>>();

function hasRegistry(language: SdkProgram['language']): Promise<boolean> {
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

function environmentOf(language: SdkProgram['language'], packages: SdkProgram['packages']): Promise<string> {
  const pins = Object.entries(packages).map(([name, version]) => name + (language === 'python' ? '==' : '@') + version);
  const environment = join(CACHE, `sdks-${language}-${sha256Hex(pins.sort().join()).slice(0, 12)}`);
  const made = environments.get(environment) ?? makeEnvironment(language, environment, pins);
  environments.set(environment, made);
  return made;
}

async function makeEnvironment(language: SdkProgram['language'], environment: string, pins: readonly string[]) {
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

/** Runs a program to its end. Returns the reason if its packages could not be installed, otherwise undefined. */
export async function runSdkProgram(program: SdkProgram, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  let environment: string;
  try {
    environment = await installed(program);
  } catch (error) {
    const names = Object.keys(program.packages).join(', ');
    return `not all of ${names} could be installed: ${String((error as { stderr?: string }).stderr ?? error).slice(0, 500)}`;
  }
  const [file, ...args] = program.command;
  const folder = await mkdtemp(join(tmpdir(), 'clew-sdk-'));
  try {
    await cp(join(PROGRAMS, program.language), folder, { recursive: true });
    if (program.language === 'node') await symlink(join(environment, 'node_modules'), join(folder, 'node_modules'));
    const interpreter = program.language === 'node' ? process.execPath : join(environment, 'bin', 'python');
    const options = { cwd: folder, timeout: RUN_TIMEOUT_MS, env: { ...withoutNodeOptions(), ...env } };
    await run(interpreter, [join(folder, file), ...args], options);
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Environment without the NODE_OPTIONS of Jest, which do not concern the programs. */
function withoutNodeOptions(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return env;
}
