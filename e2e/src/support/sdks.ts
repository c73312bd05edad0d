import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import {
  environmentOf,
  hasRegistry,
  runInstalled,
  whyNotInstalled,
  withProgramFolder,
  type Language,
  type Packages,
} from './packages.ts';

const PROGRAMS = join(import.meta.dirname, '../../sdks');

/** Program that calls models with an SDK, with the packages it needs at the tested versions. */
export interface SdkProgram {
  language: Language;
  /** File of the program, and its command-line arguments. */
  command: readonly [file: string, ...args: string[]];
  packages: Packages;
}

const PYTHON: Packages = {
  openai: '3.54.0',
  'opentelemetry-sdk': '1.45.2',
  'opentelemetry-exporter-otlp-proto-http': '1.45.2',
};
const NODE: Packages = {
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

function python(file: string, packages: Packages): SdkProgram {
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
  const all = Object.assign({}, ...others.map(({ packages }) => packages)) as Packages;
  return await environmentOf(language, all).catch(async (error: unknown) => {
    // Without a registry, every separate installation would run into its time limit.
    if (!(await hasRegistry(language))) throw error;
    return await environmentOf(language, program.packages);
  });
}

/** Runs a program to its end. Returns the reason if its packages could not be installed, otherwise undefined. */
export async function runSdkProgram(program: SdkProgram, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { language, command, packages } = program;
  let environment: string;
  try {
    environment = await installed(program);
  } catch (error) {
    return whyNotInstalled(packages, error);
  }
  await withProgramFolder(async (folder) => {
    await cp(join(PROGRAMS, language), folder, { recursive: true });
    await runInstalled({ language, environment, folder, command, env });
  });
  return undefined;
}
