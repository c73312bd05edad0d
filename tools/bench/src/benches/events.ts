import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@clew/stack';
import { openChanges, type Changes } from '../events/changes.ts';
import { openListeners, type Listeners } from '../events/listeners.ts';
import { startGateway, type GatewayProcess } from '../gateway/gateway-process.ts';
import { prepareForm } from '../support/measured-form.ts';
import { readOptions } from '../support/options.ts';
import { processorMs } from '../support/processor-time.ts';
import { openServers } from '../support/servers.ts';
import { median, percentile, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

/** Time for what was published last to reach the listeners. */
const SETTLE_MS = 2_000;

interface Load {
  name: string;
  listeners: number;
  eventsPerSecond: number;
  /** Cores that the gateway used, one figure for each round. */
  cores: number[];
  delaysMs: number[];
  /** Least share of the changes, times their listeners, that arrived in a round. */
  arrived: number;
}

interface Measured {
  gateway: GatewayProcess;
  changes: Changes;
  projectIds: readonly string[];
}

/**
 * Measures the processor time of the gateway while pages listen and events arrive over several projects, beside the
 * same gateway with nothing to do, in interleaved rounds.
 */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
    listeners: { type: 'string', default: '500' },
    events: { type: 'string', default: '100' },
    projects: { type: 'string', default: '5' },
    from: { type: 'string', default: 'src' },
    'cpu-prof-dir': { type: 'string' },
  });
  const [rounds, seconds, listeners, events, projects] = [
    Number(values.rounds),
    Number(values.seconds),
    Number(values.listeners),
    Number(values.events),
    Number(values.projects),
  ];
  const profile = values['cpu-prof-dir'];
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-'));
  const servers = await openServers();
  const gateway = await startGateway({
    ...{ folder, servers, upstreamPort: await findFreePort(), from: await prepareForm(values.from) },
    nodeOptions: profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`],
    variables: { MAX_CHANGE_LISTENERS: String(2 * listeners), MAX_CONCURRENT_EVENT_STREAMS: String(listeners) },
  });
  const changes = await openChanges(servers.amqpUrl);
  const loads: Load[] = [
    { name: 'idle', listeners: 0, eventsPerSecond: 0 },
    { name: 'events, nobody listens', listeners: 0, eventsPerSecond: events },
    { name: 'listeners, no events', listeners, eventsPerSecond: 0 },
    { name: 'listeners and events', listeners, eventsPerSecond: events },
  ].map((load) => ({ ...load, cores: [], delaysMs: [], arrived: 1 }));
  try {
    const projectIds = await makeProjects(gateway, projects);
    const measured = { gateway, changes, projectIds };
    for (let count = 0; count <= rounds; count += 1) {
      // The first round warms up.
      for (const load of loads) await measure(measured, load, seconds, count > 0);
    }
  } finally {
    await changes.stop();
    await gateway.stop();
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return report(loads, { rounds, seconds, projects });
}

async function makeProjects({ port, adminApiKey }: GatewayProcess, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/projects`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminApiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Project ${index}` }),
    });
    ids.push(((await response.json()) as { id: string }).id);
  }
  return ids;
}

async function measure(measured: Measured, load: Load, seconds: number, counts: boolean): Promise<void> {
  const { gateway, changes, projectIds } = measured;
  const { port, adminApiKey: apiKey, pid } = gateway;
  const listeners = await openListeners({ port, apiKey, projectIds, count: load.listeners });
  await sleep(SETTLE_MS);
  listeners.takeDelaysMs();
  const [heardBefore, usedBefore, beganMs] = [listeners.heard(), processorMs(pid), performance.now()];
  const published = await publishOrWait(changes, projectIds, load.eventsPerSecond, seconds);
  const usedMs = (processorMs(pid) ?? Number.NaN) - (usedBefore ?? Number.NaN);
  const cores = usedMs / (performance.now() - beganMs);
  await sleep(SETTLE_MS);
  if (counts) {
    load.cores.push(cores);
    for (const delayMs of listeners.takeDelaysMs()) load.delaysMs.push(delayMs);
    load.arrived = Math.min(load.arrived, shareThatArrived(listeners, heardBefore, published * load.listeners));
  }
  listeners.stop();

  function shareThatArrived(of: Listeners, before: number, timesListeners: number): number {
    const expected = timesListeners / projectIds.length;
    return expected === 0 ? 1 : (of.heard() - before) / expected;
  }
}

async function publishOrWait(changes: Changes, projectIds: readonly string[], perSecond: number, seconds: number) {
  if (perSecond > 0) return await changes.publish(projectIds, perSecond, seconds);
  await sleep(seconds * 1_000);
  return 0;
}

function report(loads: readonly Load[], run: { rounds: number; seconds: number; projects: number }) {
  const rows = loads.map(({ name, listeners, eventsPerSecond, cores, delaysMs, arrived }) => ({
    name,
    listeners,
    eventsPerSecond,
    cores: round(median(cores), 4),
    mostCores: round(Math.max(...cores), 4),
    delayP50Ms: delaysMs.length === 0 ? 0 : round(percentile(delaysMs, 0.5)),
    delayP99Ms: delaysMs.length === 0 ? 0 : round(percentile(delaysMs, 0.99)),
    arrived: round(arrived, 4),
  }));
  process.stdout.write(
    `${run.projects} projects, ${run.rounds} interleaved rounds of ${run.seconds} s, medians; ` +
      `processor time of the gateway in cores; Node ${process.version}\n\n`,
  );
  printTable(
    ['', 'listeners', 'events/s', 'cores', 'most', 'p50 ms', 'p99 ms', 'arrived'],
    rows.map((row) => Object.values(row)),
  );
  const [idle, , , busy] = rows;
  const coresBeyondIdle = round((busy?.cores ?? Number.NaN) - (idle?.cores ?? Number.NaN), 4);
  return { ...run, loads: rows, coresBeyondIdle, ofATenthOfACore: round(coresBeyondIdle / 0.1) };
}
