import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareForm } from '../support/measured-form.ts';
import { readOptions } from '../support/options.ts';
import { percentile, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

const CLI = join(import.meta.dirname, '../../../../libs/cli');

/** Command lines, with the time that each may take at the 95th percentile. */
const LINES: readonly { args: readonly string[]; limitMs: number }[] = [
  { args: ['--version'], limitMs: 90 },
  { args: ['--help'], limitMs: 120 },
  { args: ['findings', 'list'], limitMs: 250 },
];

/**
 * Measures how long short commands take from the start of the process to its end. Findings are answered at once, so
 * that what is measured is the program and not the request. A bare Node is the baseline of the same run.
 */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    rounds: { type: 'string', default: '20' },
    from: { type: 'string', default: 'dist' },
  });
  const form = await prepareForm(values.from);
  const main = join(CLI, form, form === 'dist' ? 'main.js' : 'main.ts');
  const flags = form === 'dist' ? [] : ['--conditions=clew-source'];
  const server = await startFindings();
  const { port } = server.address() as AddressInfo;
  const env = {
    HOME: tmpdir(),
    CLEW_URL: `http://127.0.0.1:${port}`,
    CLEW_API_KEY: 'clew_live_bench',
    CLEW_PROJECT: 'prj',
  };
  const commands = [
    { args: ['-e', '0'], limitMs: Infinity },
    ...LINES.map(({ args: words, limitMs }) => ({
      args: [...flags, main, ...words],
      limitMs,
    })),
  ];
  try {
    const times = commands.map((): number[] => []);
    for (let round = -1; round < Number(values.rounds); round += 1) {
      for (const [at, command] of commands.entries()) {
        const ms = await timed(command.args, env);
        // The first round fills the caches of the file system.
        if (round >= 0) times[at]?.push(ms);
      }
    }
    const names = ['bare node', ...LINES.map(({ args: words }) => words.join(' '))];
    const rows = names.map((name, at) => {
      const ms = times[at] ?? [];
      return [name, ...[0, 0.5, 0.95, 1].map((share) => round(percentile(ms, share), 1))] as const;
    });
    printTable(['command', 'quickest ms', 'p50 ms', 'p95 ms', 'max ms'], rows);
    const p95Ms = Object.fromEntries(rows.map(([name, , , p95]) => [name, p95]));
    const quickestMs = Object.fromEntries(rows.map(([name, quickest]) => [name, quickest]));
    const isMet = LINES.every(({ limitMs }, at) => percentile(times[at + 1] ?? [], 0.95) <= limitMs);
    return { form, quickestMs, p95Ms, isMet };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Answers every request with an empty list of Findings. */
async function startFindings(): Promise<Server> {
  const body = JSON.stringify({ findings: [], pagination: { limit: 100, nextCursor: null } });
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Runs Node with arguments to its end. */
async function timed(args: readonly string[], env: Record<string, string>): Promise<number> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}`);
  return performance.now() - startedMs;
}
