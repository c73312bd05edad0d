import { setTimeout as sleep } from 'node:timers/promises';
import { readLocalModelsConfig } from '../config.ts';
import { bringUp } from './bring-up.ts';
import { learnFromSamples } from './learn-from-samples.ts';
import { createProjectApi, RefusedError, type ProjectApi } from './project-api.ts';

/** Time limit for everything; a longer download continues by itself, and the next start finds it. */
const DEADLINE_MS = 30 * 60_000;
const ATTEMPTS = 3;
const PAUSE_MS = 5_000;
const CHAT_MODEL = 'smollm2-135m-instruct';

const tell = (line: string): void => void process.stdout.write(`${line}\n`);

/** Repeats the work after errors that may be temporary. */
async function withPatience(api: ProjectApi, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof RefusedError ? error.status >= 500 : error instanceof TypeError;
      if (!isPassing || attempt === ATTEMPTS) throw error;
      await sleep(PAUSE_MS, undefined, { signal: api.signal });
    }
  }
}

try {
  const config = readLocalModelsConfig(process.env);
  const api = createProjectApi({
    gatewayUrl: config.CLEW_GATEWAY_URL,
    apiKey: config.CLEW_API_KEY,
    projectId: config.CLEW_PROJECT_ID,
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  await withPatience(api, () => bringUp(api, CHAT_MODEL, { tell }));
  await withPatience(api, () => learnFromSamples(api, { model: `self/${CHAT_MODEL}`, nowMs: Date.now(), tell }));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
