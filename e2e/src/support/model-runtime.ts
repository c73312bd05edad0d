import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ModelDetail, RuntimeActivity, RuntimeSnapshot } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { runningStack } from './stack.ts';
import type { TestProject } from './test-project.ts';

const run = promisify(execFile);
const REGISTRY_TIMEOUT_MS = 30_000;
const SPEECH_TIMEOUT_MS = 20_000;

/** Reason why the tests with real engines cannot run here; undefined if they can. */
export async function whyNoPackageRegistry(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-registry-'));
  try {
    const options = ['download', '--no-deps', '--no-cache-dir', '--disable-pip-version-check', '--dest', folder];
    // A very small package that all packages with engines need anyway.
    await run('python3', ['-m', 'pip', ...options, 'six'], { timeout: REGISTRY_TIMEOUT_MS });
    return undefined;
  } catch (error) {
    return `no package registry can be reached with pip: ${String(error).slice(0, 300)}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Sentence spoken by espeak-ng; undefined if that is not installed. */
export async function spoken(sentence: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-speech-'));
  try {
    const file = join(folder, 'sentence.wav');
    await run('espeak-ng', ['-s', '140', '-w', file, sentence], { timeout: SPEECH_TIMEOUT_MS });
    return new Uint8Array(await readFile(file));
  } catch {
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Share of the words of a sentence that occur in another one, ignoring case and punctuation. */
export function shareOfWords(said: string, heard: string): number {
  const wordsOf = (text: string) => text.toLowerCase().match(/[a-z0-9']+/g) ?? [];
  const found = new Set(wordsOf(heard));
  const words = wordsOf(said);
  return words.filter((word) => found.has(word)).length / words.length;
}

/** Model Runtime of a project, used through the gateway. */
export function modelRuntimeOf(project: TestProject) {
  const snapshot = async () => (await project.call<RuntimeSnapshot>('/models/runtime')).body;

  async function until<Entry extends { state: string; error: unknown }>(
    state: string,
    timeoutMs: number,
    find: (snapshot: RuntimeSnapshot) => Entry | undefined,
  ): Promise<Entry> {
    let failure: string | undefined;
    const entry = await eventually(
      async () => {
        const found = find(await snapshot());
        if (found?.state === 'failed' && state !== 'failed') {
          failure = JSON.stringify(found);
          return found;
        }
        if (found?.state !== state) throw new Error(`waited for ${state}: ${JSON.stringify(found)}`);
        return found;
      },
      { timeoutMs, intervalMs: 200 },
    );
    if (failure !== undefined) throw new Error(`waited for ${state}: ${failure}`);
    return entry;
  }

  return {
    snapshot,
    untilEngine: (engine: string, state: string, timeoutMs: number) =>
      until(state, timeoutMs, ({ engines }) => engines.find((entry) => entry.engine === engine)),
    untilDownload: (modelId: string, state: string, timeoutMs: number) =>
      until(state, timeoutMs, ({ downloads }) => downloads.find((entry) => entry.modelId === modelId)),
    untilService: (modelId: string, state: string, timeoutMs: number) =>
      until(state, timeoutMs, ({ services }) => services.find((entry) => entry.modelId === modelId)),
    /** Profile that the details of a model recommend. */
    async profileOf(modelId: string): Promise<string> {
      const { body } = await project.call<ModelDetail>(`/models/${modelId}`);
      const profileId = body.selectedProfileId ?? body.profiles[0]?.id;
      if (profileId === undefined) throw new Error(`${modelId} has no profile`);
      return profileId;
    },
  };
}

/** Events of the activity stream, until the caller leaves the loop over them. */
export async function* activityOf(of: TestProject): AsyncGenerator<RuntimeActivity> {
  const leaving = new AbortController();
  const url = new URL(`/v1/projects/${of.id}/models/activity`, runningStack().gatewayUrl);
  const headers = { authorization: `Bearer ${of.apiKey}`, accept: 'text/event-stream' };
  const response = await fetch(url, { headers, signal: leaving.signal });
  let text = '';
  try {
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = (text + piece).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const [, data] = /^event: activity\ndata: (.+)$/.exec(event) ?? [];
        if (data !== undefined) yield JSON.parse(data) as RuntimeActivity;
      }
    }
  } finally {
    leaving.abort();
  }
}
