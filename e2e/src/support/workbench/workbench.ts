import { afterAll, beforeAll } from '@jest/globals';
import { openBrowser, sceneOf, type Person, type Scene, type TestBrowser } from '@clew/browser';
import { readSamples, seed } from '@clew/seed';
import { eventually } from '@clew/testing';
import { createTestDataset, manualExample } from '../datasets.ts';
import { makeItem } from '../knowledge.ts';
import { runningStack } from '../stack.ts';
import { createTestProject, type TestProject } from '../test-project.ts';

/** Time for a file to start Chromium, and to fill a project. */
const START_TIMEOUT_MS = 240_000;
/** Samples that lead to Findings of several kinds; all of them would only take longer. */
const SAMPLES = 16;
const MIN_FINDINGS = 4;

/** Owner of the stack, at a new window. */
export type OpenOwner = (options?: Parameters<TestBrowser['open']>[1]) => Promise<Person>;

/** Starts Chromium for a file of tests, and ends it. */
export function useBrowser(): { browser: () => TestBrowser; openOwner: OpenOwner } {
  let browser: TestBrowser | undefined;
  beforeAll(async () => {
    browser = await openBrowser(runningStack().gatewayUrl);
  }, START_TIMEOUT_MS);
  afterAll(() => browser?.close());
  const opened = () => {
    if (browser === undefined) throw new Error('Chromium has not been started');
    return browser;
  };
  return {
    browser: opened,
    openOwner(options) {
      const { adminEmail: email, adminPassword: password } = runningStack();
      return opened().open({ email, password }, options);
    },
  };
}

/** Project with something to see on every screen, and its ids. */
export interface FilledProject extends TestProject {
  readonly scene: Scene;
}

/** Makes a project with samples, and waits for their Findings. */
export async function filledProject(name: string): Promise<FilledProject> {
  const project = await createTestProject(name);
  const samples = readSamples().filter(({ conversation }) => conversation.expectedFindings.length > 0);
  const { gatewayUrl } = runningStack();
  await seed({ gatewayUrl, apiKey: project.apiKey, samples: samples.slice(0, SAMPLES), nowMs: Date.now() });
  await eventually(
    async () => {
      const found = await project.findings();
      if (found.length < MIN_FINDINGS) throw new Error(`only ${found.length} Findings are there yet`);
    },
    { timeoutMs: START_TIMEOUT_MS },
  );
  await fillByHand(project);
  return { ...project, scene: await sceneOf(async (path) => (await project.call<unknown>(path)).body) };
}

/** Adds what people make: a Learning Goal with an item, a Dataset with Examples, and a webhook. */
async function fillByHand(project: TestProject): Promise<void> {
  await makeItem(project);
  const { path } = await createTestDataset(project);
  for (const text of ['Where is my order?', 'Cancel it.'])
    await project.call(`${path}/examples`, { body: manualExample(text) });
  await project.call('/webhooks', { body: { url: 'https://hooks.example.com/clew', events: ['finding.*'] } });
}
