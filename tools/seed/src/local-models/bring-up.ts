import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineInstallation, ModelDetail, RuntimeSnapshot } from '@clew/contracts';
import type { ProjectApi } from './project-api.ts';

export interface BringUpOptions {
  /** Reports progress, one line at a time, whenever it changes. */
  tell(line: string): void;
  pollMs?: number;
}

interface Entry {
  readonly state: string;
  readonly error: { readonly message: string } | null;
}

const POLL_MS = 500;
const MIB = 1024 * 1024;

/**
 * Installs the engine of a model, then downloads and starts the model, through public routes. Existing resources are
 * left as they are. Throws an error that says what failed.
 */
export async function bringUp(api: ProjectApi, modelId: string, options: BringUpOptions): Promise<void> {
  const { body: profile, path } = await profileOf(api, modelId);
  await api.call<EngineInstallation>(`/models/engines/${profile.engine}/installations`, { method: 'POST' });
  await until(api, options, `${profile.engine} is installed`, 'ready', ({ engines }) =>
    engines.find(({ engine }) => engine === profile.engine),
  );
  await api.call(`${path}/downloads`, { method: 'POST' });
  await until(api, options, `${modelId} is fetched`, 'completed', ({ downloads }) =>
    downloads.find((download) => download.modelId === modelId && download.profileId === profile.id),
  );
  await api.call(`${path}/service`, { method: 'PUT' });
  await until(api, options, `${modelId} is started`, 'ready', ({ services }) =>
    services.find((service) => service.modelId === modelId && service.profileId === profile.id),
  );
}

async function profileOf(api: ProjectApi, modelId: string) {
  const model = await api.call<ModelDetail>(`/models/${modelId}`);
  const body = model.profiles.find(({ id }) => id === model.selectedProfileId) ?? model.profiles[0];
  if (body === undefined) throw new Error(`${modelId} has no profile`);
  return { body, path: `/models/${modelId}/profiles/${body.id}` };
}

async function until(
  api: ProjectApi,
  { tell, pollMs = POLL_MS }: BringUpOptions,
  what: string,
  state: string,
  find: (snapshot: RuntimeSnapshot) => Entry | undefined,
): Promise<void> {
  let told = '';
  for (;;) {
    const entry = find(await api.call<RuntimeSnapshot>('/models/runtime'));
    if (entry?.state === 'failed') throw new Error(`${what}: ${entry.error?.message ?? 'failed'}`);
    const line = `${what}: ${entry?.state ?? 'waits'}${progressOf(entry)}`;
    if (line !== told) tell(line);
    told = line;
    if (entry?.state === state) return;
    await sleep(pollMs, undefined, { signal: api.signal });
  }
}

/** Progress in steps of 25%, so that a download prints a few lines and not hundreds. */
function progressOf(entry: Entry | undefined): string {
  if (entry === undefined || !('bytesDone' in entry) || !('bytesTotal' in entry)) return '';
  const [done, total] = [Number(entry.bytesDone), Number(entry.bytesTotal)];
  if (!(total > 0)) return '';
  return `, ${Math.floor((4 * done) / total) * 25}% of ${Math.round(total / MIB)} MiB`;
}
