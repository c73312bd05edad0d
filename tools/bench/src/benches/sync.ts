// Measures what periodic sync costs: 10,000 work items at four loopback trackers, of which 100 have changed. Calls to
// the providers for each unchanged item, changes that were seen, and processor time of diagnostics-svc.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../support/client.ts';
import { prepareForm } from '../support/measured-form.ts';
import { readOptions } from '../support/options.ts';
import { processorMs } from '../support/processor-time.ts';
import { openServers } from '../support/servers.ts';
import { startService } from '../support/service-process.ts';
import { round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';
import { startPlace, walkAll, type Place } from '../sync/handed-over.ts';

const PROVIDERS = ['github', 'gitlab', 'jira', 'linear'] as const;

export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    items: { type: 'string', default: '10000' },
    changed: { type: 'string', default: '100' },
    from: { type: 'string', default: 'dist' },
  });
  const [items, changed] = [Number(values.items), Number(values.changed)];
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-sync-'));
  const servers = await openServers();
  const from = await prepareForm(values.from);
  const env = {
    ...{ TELEMETRY_WAREHOUSE_URL: 'http://127.0.0.1:9', MODEL_RUNTIME_SVC_URL: 'http://127.0.0.1:9' },
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
  };
  const diagnostics = { app: 'diagnostics-svc' as const, scopes: ['diagnostics:read', 'diagnostics:write'] as const };
  const service = await startService({ ...diagnostics, env }, { folder, servers, from });
  const client = createClient(service);
  const places: Place[] = [];
  try {
    for (const provider of PROVIDERS) {
      const connect = async (body: object) =>
        (await client.json('POST', '/diagnostics/connectors', body)) as { id: string };
      places.push(await startPlace(service, { provider, count: items / PROVIDERS.length, connect }));
    }
    for (const { tracker } of places) change(tracker, changed / PROVIDERS.length);
    const processorBefore = processorMs(service.pid) ?? 0;
    const startedAt = performance.now();
    await walkAll(service, places);
    const durationMs = round(performance.now() - startedAt);
    const processorTimeMs = (processorMs(service.pid) ?? 0) - processorBefore;
    const calls = places.map(({ tracker }) => tracker.requests.length);
    const seen = await service.database.collection('work_items').countDocuments({ status: 'done' });
    const total = calls.reduce((sum, count) => sum + count, 0);
    printTable(
      ['provider', 'calls', 'calls an unchanged item'],
      PROVIDERS.map((provider, index) => [
        provider,
        calls[index] ?? 0,
        round((calls[index] ?? 0) / ((items - changed) / PROVIDERS.length), 4),
      ]),
    );
    return {
      ...{ items, changed, seen, calls: Object.fromEntries(PROVIDERS.map((name, index) => [name, calls[index]])) },
      ...{ callsPerUnchangedItem: round(total / (items - changed), 4), durationMs, processorTimeMs },
    };
  } finally {
    await client.close();
    await service.stop();
    await Promise.all(places.map(({ tracker }) => tracker.stop()));
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Has people close issues, spread over all of them. What was asked before does not count. */
function change(tracker: Place['tracker'], count: number): void {
  const every = tracker.issues.length / count;
  for (let index = 0; index < count; index += 1) {
    const issue = tracker.issues[Math.floor(index * every)];
    if (issue !== undefined) tracker.put(issue, 'completed');
  }
  tracker.requests.length = 0;
}
