import type { ScriptedProvider } from '@clew/testing/provider';
import { callApi } from './api.ts';
import { createTestDataset } from './datasets.ts';
import type { Fairness } from './fairness.ts';
import type { TestProject } from './test-project.ts';

/** Ordinary requests of a project; each method throws if its request is refused. */
export interface BodyActs {
  importFile(): Promise<void>;
  chat(): Promise<void>;
  transcribe(): Promise<void>;
  read(): Promise<void>;
}

export async function createBodyActs(project: TestProject, provider: ScriptedProvider): Promise<BodyActs> {
  const { path } = await createTestDataset(project);
  const provided = await project.call('/models/providers', { body: { name: 'loop', baseUrl: provider.url } });
  requireStatus(provided, 201);
  let line = 0;
  return {
    async importFile() {
      line += 1;
      const body = JSON.stringify({ payload: { input: { type: 'text', text: `line ${line}` } } });
      const headers = { 'content-type': 'application/x-ndjson' };
      requireStatus(await project.call(`${path}/imports?format=jsonl`, { body, headers }), 200);
    },
    async chat() {
      const body = { model: 'loop/tiny-chat', messages: [{ role: 'user', content: 'Hello' }] };
      requireStatus(await callApi(project.apiKey, '/v1/chat/completions', { body }), 200);
    },
    async transcribe() {
      const parts = [
        'Content-Disposition: form-data; name="model"\r\n\r\nloop/tiny-whisper',
        'Content-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\na recording',
      ];
      const body = `${parts.map((part) => `--x\r\n${part}\r\n`).join('')}--x--\r\n`;
      const headers = { 'content-type': 'multipart/form-data; boundary=x' };
      requireStatus(await callApi(project.apiKey, '/v1/audio/transcriptions', { body, headers }), 200);
    },
    async read() {
      requireStatus(await project.call('/datasets'), 200);
    },
  };
}

function requireStatus({ status, body }: { status: number; body: unknown }, expected: number): void {
  if (status !== expected) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
}

/**
 * Throws if the attack slows a project down too much: beyond twice its usual time and beyond the noise of the machine.
 */
export function requireFair({ usualP95Ms, attackedP95Ms }: Fairness, noiseMs: number): void {
  if (attackedP95Ms <= Math.max(2 * usualP95Ms, usualP95Ms + noiseMs)) return;
  throw new Error(`What takes ${Math.round(usualP95Ms)} ms took ${Math.round(attackedP95Ms)} ms beside the other`);
}
