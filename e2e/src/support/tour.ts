import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publicRoutes } from '@clew/contracts/all-routes';

const README = join(import.meta.dirname, '../../../README.md');
const TITLE = '## A tour of five minutes\n';
const BLOCK = /^```(sh|json)\n([\s\S]*?)^```$/gm;
/** Matches `<id>` and `<its id>`, which stand for the id in the previous answer. */
export const PLACEHOLDER = /<(?:its )?id>/g;
const run = promisify(execFile);

/** Command of the tour, and the answer shown below it. */
export interface TourStep {
  command: string;
  shown: unknown;
}

/** Commands of the tour in the README, in order. */
export async function stepsOfTour(): Promise<TourStep[]> {
  const [, tour = ''] = readFileSync(README, 'utf8').split(TITLE);
  const [text = ''] = tour.split('\n## ', 1);
  const steps: TourStep[] = [];
  for (const [, language, content = ''] of text.matchAll(BLOCK)) {
    if (language === 'sh') {
      for (const command of await commandsOf(content)) steps.push({ command, shown: undefined });
    } else {
      const last = steps.at(-1);
      if (last !== undefined) last.shown = JSON.parse(content);
    }
  }
  return steps;
}

/** Splits a block into commands; a command may span several lines, and ends where the shell accepts it as complete. */
async function commandsOf(block: string): Promise<string[]> {
  const commands: string[] = [];
  let open = '';
  for (const line of block.trimEnd().split('\n')) {
    open += `${line}\n`;
    if (line.endsWith('\\') || !(await isWhole(open))) continue;
    commands.push(open.trimEnd());
    open = '';
  }
  if (open !== '') throw new Error(`The shell cannot read ${open}`);
  return commands;
}

function isWhole(command: string): Promise<boolean> {
  // Replaced because the shell would take a placeholder for a redirection.
  return run('bash', ['-n', '-c', command.replaceAll(PLACEHOLDER, 'id')]).then(
    () => true,
    () => false,
  );
}

/** Shell that keeps the variables that earlier commands exported. */
export class TourShell {
  readonly variables: Record<string, string>;

  constructor(variables: Record<string, string>) {
    this.variables = variables;
  }

  /** Runs a command; returns its output. */
  async run(command: string): Promise<string> {
    const [, name, value] = /^export (\w+)=(\S+)$/.exec(command) ?? [];
    if (name !== undefined && value !== undefined) {
      this.variables[name] = (await this.#bash(`printf %s ${value}`)).stdout;
      return '';
    }
    return (await this.#bash(`curl() { command curl --silent --show-error --fail-with-body "$@"; }\n${command}`))
      .stdout;
  }

  /** API operation that a command calls. */
  async operationOf(command: string): Promise<string> {
    const { stdout } = await this.#bash(`curl() { printf '%s\\0' "$@"; }\n${command}`);
    const args = stdout.split('\0');
    const url = new URL(args.find((arg) => arg.startsWith('http')) ?? 'http://nowhere');
    const hasBody = args.some((arg) => ['-d', '--data-binary'].includes(arg));
    const method = args.includes('-X') ? args[args.indexOf('-X') + 1] : hasBody ? 'POST' : 'GET';
    const path = url.pathname.split('/');
    const found = publicRoutes().find((spec) => {
      const parts = spec.path.split('/');
      const fits = parts.every((part, index) => part.startsWith(':') || part === path[index]);
      return spec.method.toUpperCase() === method && parts.length === path.length && fits;
    });
    if (found === undefined) throw new Error(`No route answers ${method} ${url.pathname}, which the tour asks for`);
    return found.operationId;
  }

  #bash(script: string) {
    const env = { ...process.env, ...this.variables };
    return run('bash', ['-c', script], { env, maxBuffer: 64 * 1024 * 1024 });
  }
}

/**
 * Differences between the shape of an answer and that of the shown one: each shown member must exist with the same
 * type. Lists may hold fewer entries.
 */
export function differencesOf(shown: unknown, answered: unknown, path = ''): string[] {
  if (Array.isArray(shown)) {
    if (!Array.isArray(answered)) return [`${path} is no list`];
    return answered.slice(0, shown.length).flatMap((entry, at) => differencesOf(shown[at], entry, `${path}[${at}]`));
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof answered !== 'object' || answered === null) return [`${path} is no object`];
    return Object.entries(shown).flatMap(([name, value]) =>
      differencesOf(value, (answered as Record<string, unknown>)[name], `${path}.${name}`),
    );
  }
  return typeof shown === typeof answered ? [] : [`${path} is shown as ${typeof shown}, and is ${typeof answered}`];
}
