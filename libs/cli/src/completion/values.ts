import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clew } from '@clew/sdk';
import { cacheFolder, readConfig, readJsonFile, writePrivately } from '../config/files.ts';
import { settingsOf, type Chosen, type Settings } from '../config/settings.ts';
import type { Io } from '../io.ts';
import type { Candidate } from './candidate.ts';

const FRESH_MS = 60_000;
/** Time for which a person waits after the tabulator key. */
const PATIENCE_MS = 2_000;
const MANY = 100;

/** Readers of things that arguments name, by the name of the argument. */
const READERS: Readonly<Record<string, (clew: Clew) => Promise<Candidate[]>>> = {
  project: async (clew) =>
    (await clew.projects.list({ limit: MANY })).projects.map(({ id, name }) => ({ value: id, meaning: name })),
  dataset: async (clew) =>
    (await clew.datasets.list({ limit: MANY })).datasets.map(({ id, name }) => ({ value: id, meaning: name })),
  goal: async (clew) =>
    (await clew.knowledge.goals.list({ limit: MANY })).goals.map(({ id, name }) => ({ value: id, meaning: name })),
  item: async (clew) =>
    (await clew.knowledge.items.list({ limit: MANY })).items.map(({ id, title }) => ({ value: id, meaning: title })),
  finding: async (clew) =>
    (await clew.findings.list({ limit: MANY })).findings.map(({ id, title }) => ({ value: id, meaning: title })),
  conversation: async (clew) =>
    (await clew.conversations.list({ limit: MANY })).conversations.map(({ id, preview }) => ({
      ...{ value: id, meaning: preview },
    })),
  rule: async (clew) =>
    (await clew.rules.list({ limit: MANY })).rules.map(({ ruleId, name }) => ({ value: ruleId, meaning: name })),
  connector: async (clew) =>
    (await clew.connectors.list({ limit: MANY })).connectors.map(({ id, provider, name }) => ({
      ...{ value: id, meaning: name ?? provider },
    })),
  webhook: async (clew) =>
    (await clew.webhooks.list({ limit: MANY })).webhooks.map(({ id, url }) => ({ value: id, meaning: url })),
  key: async (clew) =>
    (await clew.apiKeys.list({ limit: MANY })).apiKeys.map(({ id, name }) => ({ value: id, meaning: name })),
  provider: async (clew) =>
    (await clew.providers.list({ limit: MANY })).providers.map(({ name, baseUrl }) => ({
      ...{ value: name, meaning: baseUrl },
    })),
  model: async (clew) =>
    (await clew.models.list({ limit: MANY })).page.models.map(({ id, name }) => ({ value: id, meaning: name })),
};

/** Returns the things that an argument or the value of an option may name. They are remembered for a minute. */
export async function valuesOf(kind: string, { io, chosen }: { io: Io; chosen: Chosen }): Promise<Candidate[]> {
  if (kind === 'profile') {
    return Object.entries(readConfig(io).profiles).map(([value, { url }]) => ({ value, meaning: url }));
  }
  const read = Object.hasOwn(READERS, kind) ? READERS[kind] : undefined;
  if (read === undefined) return [];
  const settings = settingsOf(io, chosen);
  const file = cacheFile(io, kind, settings);
  const cached = readJsonFile(file) as { atMs?: number; values?: Candidate[] } | undefined;
  if (cached?.values !== undefined && Math.abs(io.now() - (cached.atMs ?? 0)) < FRESH_MS) return cached.values;
  const { Clew } = await import('@clew/sdk');
  const { url, apiKey, project } = settings;
  if (apiKey === undefined) return [];
  const client = new Clew({ baseUrl: url, apiKey, project, maxRetries: 0, timeoutMs: PATIENCE_MS });
  const values = await read(client);
  writePrivately(file, { atMs: io.now(), values });
  return values;
}

/** Names the file by deployment, key and project, so that nobody is offered the things of another. */
function cacheFile(io: Io, kind: string, { url, apiKey = '', project = '' }: Settings): string {
  const name = createHash('sha256').update([kind, url, apiKey, project].join('\n')).digest('hex').slice(0, 32);
  return join(cacheFolder(io), `${kind}-${name}.json`);
}
