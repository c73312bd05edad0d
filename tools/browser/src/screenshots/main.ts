// node --conditions=clew-source tools/browser/src/screenshots/main.ts
// Makes the pictures of every screen, light and dark, of a stack of its own with sample data.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommandLine, UsageError, withTemporaryStack, type StackFile } from '@clew/stack';
import { readSamples, seed } from '@clew/seed';
import { openBrowser } from '../open-browser.ts';
import { addressOf, SCREENS, type Screen } from '../screens.ts';
import { sceneOf } from '../scene.ts';
import { settled } from '../settled.ts';
import { compressPng } from './compress-png.ts';

const FOLDER = join(import.meta.dirname, '../../../../docs/workbench');
const SCHEMES = ['light', 'dark'] as const;
const MIN_FINDINGS = 20;
const PATIENCE_MS = 180_000;
const PAUSE_MS = 1_000;

async function main(args: readonly string[]): Promise<number> {
  if (args.length > 0) throw new UsageError(`"${args[0]}" is one too many`);
  return await withTemporaryStack({}, async ({ stackFile }) => {
    await fill(stackFile);
    await photograph(stackFile);
    return 0;
  });
}

async function fill({ gatewayUrl, apiKey, projectId }: StackFile): Promise<void> {
  await seed({ gatewayUrl, apiKey, samples: readSamples(), nowMs: Date.now() });
  const endMs = Date.now() + PATIENCE_MS;
  for (let found = 0; found < MIN_FINDINGS;) {
    if (Date.now() > endMs) throw new Error(`Only ${found} Findings were found`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const body = await readProject(gatewayUrl, apiKey, projectId)('/diagnostics/findings?limit=100');
    found = (body as { findings: unknown[] }).findings.length;
  }
  await fillByHand(gatewayUrl, apiKey, projectId);
}

const QUESTIONS = ['Where is my order 1042?', 'Please cancel it.', 'Can I change the address?'];

/** Adds what people make: a Learning Goal, a Dataset with Examples, and a webhook. */
async function fillByHand(gatewayUrl: string, apiKey: string, projectId: string): Promise<void> {
  const create = async (path: string, body: object): Promise<string> => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const url = new URL(`/v1/projects/${projectId}${path}`, gatewayUrl);
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} was refused: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { id: string }).id;
  };
  await create('/knowledge/goals', { name: 'Policies', instruction: 'Learn which policies customers are told of' });
  const datasetId = await create('/datasets', { name: 'Orders', schema: { type: 'chat', version: 1 } });
  for (const [at, text] of QUESTIONS.entries()) {
    await create(`/datasets/${datasetId}/examples`, {
      source: { kind: 'manual', externalRef: `case-${at + 1}` },
      payload: { input: { type: 'text', text }, expectedOutput: { type: 'text', text: 'Let me look that up.' } },
    });
  }
  await create('/webhooks', { url: 'https://hooks.example.com/clew', events: ['finding.*', 'failure_rate.exceeded'] });
}

function readProject(gatewayUrl: string, apiKey: string, projectId: string) {
  return async (path: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${apiKey}` };
    const response = await fetch(new URL(`/v1/projects/${projectId}${path}`, gatewayUrl), { headers });
    return await response.json();
  };
}

async function photograph(stack: StackFile): Promise<void> {
  const { gatewayUrl, apiKey, projectId, adminEmail, adminPassword } = stack;
  if (adminEmail === undefined || adminPassword === undefined) throw new Error('The stack has no owner');
  const scene = await sceneOf(readProject(gatewayUrl, apiKey, projectId));
  await mkdir(FOLDER, { recursive: true });
  for (const name of await readdir(FOLDER)) if (name.endsWith('.png')) await rm(join(FOLDER, name));
  const browser = await openBrowser(gatewayUrl);
  try {
    for (const colorScheme of SCHEMES) {
      const person = await browser.open({ email: adminEmail, password: adminPassword }, { colorScheme });
      for (const screen of SCREENS) {
        await person.go(addressOf(screen, projectId, scene));
        await settled(person.page, person.watch);
        await writeFile(join(FOLDER, `${screen.name}-${colorScheme}.png`), compressPng(await person.page.screenshot()));
      }
      await person.close();
    }
  } finally {
    await browser.close();
  }
  await writeFile(join(FOLDER, 'README.md'), listed(SCREENS));
}

/** Page that lists all pictures. */
function listed(screens: readonly Screen[]): string {
  const entries = screens.map(({ name, title }) =>
    [`## ${title}`, `![${title}, light](${name}-light.png)`, `![${title}, dark](${name}-dark.png)`].join('\n\n'),
  );
  return `# The Workbench\n\nEvery screen, light and dark, with the sample data. \`npm run screenshots\` makes these pictures and this page.\n\n${entries.join('\n\n')}\n`;
}

process.exitCode = await runCommandLine('Usage: npm run screenshots', () => main(process.argv.slice(2)));
