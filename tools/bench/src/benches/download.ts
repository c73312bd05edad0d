import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILE, REPO_ID } from '../download/served.ts';
import { runProgram, runScript, startServer } from '../support/child.ts';
import { findOnPath } from '../support/find-on-path.ts';
import { readOptions } from '../support/options.ts';
import { median, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

const CLEW = join(import.meta.dirname, '../../../../apps/model-runtime-agent/bench/fetch.ts');
const HUB = join(import.meta.dirname, '../download/hub-process.ts');
const PYTHON_CLIENT = join(import.meta.dirname, '../download/fetch.py');

/** Fetches the file once; returns the milliseconds by each way of counting. */
type Fetch = () => Promise<Record<string, number>>;

/**
 * Measures the download of a large file from a hub on this machine. The transfer of the runtime agent, which verifies
 * the file and survives a kill at any point, takes turns with curl and with the official Python client of the hub.
 * Those two do not verify the file; the time with verification added is reported separately.
 */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    rounds: { type: 'string', default: '5' },
    mib: { type: 'string', default: '512' },
  });
  const [rounds, sizeMib] = [Number(values.rounds), Number(values.mib)];
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-'));
  const hub = await startServer(HUB, { args: [String(sizeMib)] });
  try {
    const contenders = await contendersAt(`http://127.0.0.1:${hub.port}`, folder);
    const durationsMs = await measure(contenders, rounds);
    return report(durationsMs, { rounds, sizeMib });
  } finally {
    await hub.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function contendersAt(url: string, folder: string): Promise<Fetch[]> {
  const python = await pythonWithClient(folder);
  const curl = findOnPath('curl');
  return [
    async () => {
      const printed = await runScript(CLEW, { args: [url, REPO_ID, FILE, folder] });
      return { clew: (JSON.parse(printed) as { durationMs: number }).durationMs };
    },
    ...(curl === undefined ? [] : [() => fetchWithCurl(curl, url, folder)]),
    async () => {
      const printed = await runProgram(python, [PYTHON_CLIENT, url, REPO_ID, FILE, folder]);
      const { durationMs, verifiedMs } = JSON.parse(printed) as { durationMs: number; verifiedMs: number };
      return { huggingface_hub: durationMs, 'huggingface_hub, verified': verifiedMs };
    },
  ];
}

async function fetchWithCurl(curl: string, url: string, folder: string): Promise<Record<string, number>> {
  const target = join(folder, 'curl');
  const startedAtMs = performance.now();
  await runProgram(curl, ['-sSfL', '-o', target, `${url}/${REPO_ID}/resolve/main/${FILE}`]);
  const fetchedAtMs = performance.now();
  await runProgram('sha256sum', [target]);
  const verifiedAtMs = performance.now();
  rmSync(target);
  return { curl: fetchedAtMs - startedAtMs, 'curl, verified': verifiedAtMs - startedAtMs };
}

/** Python environment with the client, installed from the package index that pip is configured for. */
async function pythonWithClient(folder: string): Promise<string> {
  const system = findOnPath('python3');
  if (system === undefined) throw new Error('This benchmark compares with a Python client: python3 is needed');
  await runProgram(system, ['-m', 'venv', join(folder, 'python')]);
  const python = join(folder, 'python', 'bin', 'python');
  await runProgram(python, ['-m', 'pip', 'install', '--quiet', 'huggingface_hub==2.4.0']);
  return python;
}

async function measure(contenders: readonly Fetch[], rounds: number): Promise<Map<string, number[]>> {
  const durationsMs = new Map<string, number[]>();
  // The first round warms up caches and does not count.
  for (let number = 0; number <= rounds; number += 1) {
    for (const fetch of contenders) {
      for (const [name, durationMs] of Object.entries(await fetch())) {
        if (number > 0) durationsMs.set(name, [...(durationsMs.get(name) ?? []), durationMs]);
      }
    }
  }
  return durationsMs;
}

function report(durationsMs: ReadonlyMap<string, number[]>, run: { rounds: number; sizeMib: number }) {
  const rows = [...durationsMs].map(([name, all]) => {
    const speeds = all.map((durationMs) => (run.sizeMib / durationMs) * 1000);
    return {
      name,
      median: round(median(speeds), 0),
      min: round(Math.min(...speeds), 0),
      max: round(Math.max(...speeds), 0),
    };
  });
  printTable(
    ['', 'MiB/s', 'min', 'max'],
    rows.map((row) => [row.name, row.median, row.min, row.max]),
  );
  const speedOf = (name: string) => rows.find((row) => row.name === name)?.median ?? Number.NaN;
  return {
    ...run,
    mibPerSecond: Object.fromEntries(rows.map((row) => [row.name, row.median])),
    clewToHuggingfaceHub: round(speedOf('clew') / speedOf('huggingface_hub')),
    clewToHuggingfaceHubVerified: round(speedOf('clew') / speedOf('huggingface_hub, verified')),
  };
}
