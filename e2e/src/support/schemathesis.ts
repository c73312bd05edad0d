import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

const VERSION = '4.32.5';
const DOCUMENT = join(import.meta.dirname, '../../../docs/openapi/v1.json');
const CACHE = process.env['CLEW_CACHE'] ?? join(homedir(), '.cache', 'clew');

/** Settings of a run, and the rules by which it judges. */
export interface SchemathesisRun {
  baseUrl: string;
  /** Credential of the cases: the secret of a key, or the value of a session's cookie. */
  credential: { scheme: 'apiKey' | 'session'; value: string };
  /** Operations that are tested, by their id. */
  operations: readonly string[];
  /** Values for path parameters, so that cases get beyond 404. */
  parameters: Readonly<Record<string, string>>;
  /** Operations that call a third party, which may be down. */
  dependent: readonly string[];
  maxExamples: number;
  /** Seed of an earlier run, which repeats its cases. */
  seed: string | undefined;
}

/** Tells how bodies of lines are sent: examples of them are texts already. */
const HOOKS = `import schemathesis

@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return value if isinstance(value, bytes) else str(value).encode()
`;

/** Used part of the Schemathesis report. */
export interface SchemathesisReport {
  seed: string;
  operations: { selected: number; tested: number };
  test_cases: { generated: number };
  failures: { title: string; operations: unknown }[];
  errors: unknown[];
  warnings: Record<string, unknown[]>;
}

/** Tests a running API against its OpenAPI description, with cases generated from the description. */
export async function runSchemathesis(options: SchemathesisRun): Promise<SchemathesisReport> {
  const program = await installed();
  const folder = await mkdtemp(join(tmpdir(), 'clew-schemathesis-'));
  const fileOf = (name: string) => join(folder, name);
  const [config, document, report] = [fileOf('schemathesis.toml'), fileOf('v1.json'), fileOf('report.json')];
  const hooks = fileOf('hooks.py');
  await writeFile(hooks, HOOKS);
  await writeFile(config, `hooks = ${JSON.stringify(hooks)}\n${configOf(options)}`);
  await writeFile(document, await documentFor(options));
  try {
    await runToEnd(folder, program, [
      ...['--config-file', config, 'run', document, '--url', options.baseUrl],
      // Header of a page of the deployment, to which alone the routes for signing in answer.
      ...['--header', 'Sec-Fetch-Site: same-origin'],
      ...options.operations.flatMap((operationId) => ['--include-operation-id', operationId]),
      // Excluded: a schema cannot express rules across fields, so data that fits the schema may answer 400.
      ...['--exclude-checks', 'positive_data_acceptance'],
      ...['--max-examples', String(options.maxExamples)],
      ...(options.seed === undefined ? [] : ['--seed', options.seed]),
      ...['--suppress-health-check', 'all', '--generation-database', 'none', '--no-color'],
      ...['--report', 'json', '--report-json-path', report],
    ]);
    const text = await readFile(report, 'utf8');
    // Read as text: the seed is larger than an exact JavaScript number.
    const [, seed = ''] = /"seed": ?(\d+)/.exec(text) ?? [];
    return { ...(JSON.parse(text) as Omit<SchemathesisReport, 'seed'>), seed };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, object> };
  security: object[];
}

interface Operation {
  security?: object[];
}

/**
 * Description of the API as it is for one kind of credential, and with the name that the cookie of a session has over
 * plain http. Operations that do not take the credential keep the one that they take.
 */
async function documentFor({ credential: { scheme } }: SchemathesisRun): Promise<string> {
  const document = JSON.parse(await readFile(DOCUMENT, 'utf8')) as OpenApi;
  const narrowed = (security: object[]) => {
    const ofScheme = security.filter((each) => scheme in each);
    return ofScheme.length === 0 ? security : ofScheme;
  };
  for (const operation of Object.values(document.paths).flatMap(Object.values<Operation>)) {
    if (operation.security !== undefined) operation.security = narrowed(operation.security);
  }
  const { securitySchemes } = document.components;
  securitySchemes['session'] = { ...securitySchemes['session'], name: 'clew_session' };
  return JSON.stringify({ ...document, security: narrowed(document.security) });
}

function configOf({ parameters, dependent, credential: { scheme, value } }: SchemathesisRun): string {
  return [
    // Told here and not as a header: cases without a credential are made, too, and must have none.
    `[auth.openapi.${scheme}]`,
    `${scheme === 'session' ? 'api_key' : 'bearer'} = ${JSON.stringify(value)}`,
    '[[operations]]',
    // Excluded because these parameter values replace a wrong id that Schemathesis generated beside a number; it would
    // still report the wrong id as sent.
    'exclude-path-regex = "generation"',
    '[operations.parameters]',
    ...Object.entries(parameters).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
    '[[operations]]',
    `include-operation-id = ${JSON.stringify(dependent)}`,
    '[operations.checks.not_a_server_error]',
    'expected-statuses = ["2xx", "3xx", "4xx", "502", "503", "504"]',
    '[[operations]]',
    // Excluded because the paths are also those of an item with such an id, which could be changed if there were one.
    'include-path-regex = "/knowledge/items/(bulk-updates|counts)$"',
    '[operations.checks.unsupported_method]',
    'enabled = false',
    '[[operations]]',
    // Excluded because an import without a body is in order, and its project is always the given one: a wrong id that
    // Schemathesis generated would be reported as sent.
    'include-operation-id = "importConversations"',
    '[operations.checks.negative_data_rejection]',
    'enabled = false',
    '[[operations]]',
    // Excluded because its parameters may be longer than a request line may be, which is 431 before a route is asked.
    'include-operation-id = "finishOidc"',
    '[operations.checks.negative_data_rejection]',
    'enabled = false',
    '[operations.checks.status_code_conformance]',
    'enabled = false',
    '[[operations]]',
    // A profile of a built-in model belongs to the catalog: its DELETE removes only the project's data, not the
    // profile.
    'include-operation-id = ["getModelProfile", "removeModelProfile"]',
    '[operations.checks.use_after_free]',
    'enabled = false',
    '',
  ].join('\n');
}

/** Program in its own Python environment, which is created at the first run. */
async function installed(): Promise<string> {
  const environment = join(CACHE, `schemathesis-${VERSION}`);
  const program = join(environment, 'bin', 'st');
  if (existsSync(program)) return program;
  await mkdir(CACHE, { recursive: true });
  await runToEnd(CACHE, 'python3', ['-m', 'venv', '--clear', environment]);
  const code = await runToEnd(CACHE, join(environment, 'bin', 'pip'), [
    ...['install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`],
  ]);
  if (code !== 0) throw new Error('Schemathesis could not be installed: pip must reach a package registry');
  return program;
}

/** Runs a program with its output shown; resolves with the exit code. */
function runToEnd(cwd: string, program: string, args: readonly string[]): Promise<number> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', process.stderr, process.stderr] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
