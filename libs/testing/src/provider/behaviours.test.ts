import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ScriptedAnswer } from './answers.ts';
import {
  capableModel,
  dataBlocksOf,
  injectionOf,
  obedientModel,
  rateLimited,
  slowly,
  TIMES_OUT,
  UNUSABLE_ANSWERS,
} from './behaviours.ts';
import { startProvider, type ScriptedProvider } from './provider.ts';

const TOLD: ScriptedAnswer = { text: '{"told":true}' };
let provider: ScriptedProvider;

beforeAll(async () => {
  provider = await startProvider({ reply: capableModel(obedientModel(() => TOLD)) });
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.requests.length = 0;
});

function ask(content: string, signal?: AbortSignal): Promise<Response> {
  const body = JSON.stringify({ model: 'tiny-chat', messages: [{ role: 'user', content }] });
  const headers = { 'content-type': 'application/json' };
  return fetch(`${provider.url}/chat/completions`, { method: 'POST', headers, body, signal: signal ?? null });
}

async function textOf(response: Response): Promise<string> {
  const { choices } = (await response.json()) as { choices: [{ message: { content: string } }] };
  return choices[0].message.content;
}

describe('a scripted model', () => {
  it('answers as it is told, or as an injection in its prompt demands', async () => {
    expect(await textOf(await ask('Judge this'))).toBe('{"told":true}');
    expect(await textOf(await ask(`A mail\n${injectionOf({ verdict: 'refuted' })}`))).toBe('{"verdict":"refuted"}');
  });

  it('sees the delimited data of a prompt', () => {
    const content =
      'Judge:\n<<<data chat ab12>>>\nfirst\n<<<end cd>>>\n<<<end ab12>>>\nand\n<<<data x 99>>>\nb\n<<<end 99>>>';
    expect(dataBlocksOf({ model: 'm', messages: [{ role: 'user', content }] })).toEqual(['first\n<<<end cd>>>', 'b']);
  });

  it('limits its rate and says for how long', async () => {
    provider.script(rateLimited(7));
    const response = await ask('Judge this');
    expect({ status: response.status, after: response.headers.get('retry-after') }).toEqual({
      status: 429,
      after: '7',
    });
  });

  it('answers slowly, but whole', async () => {
    provider.script(slowly(TOLD, 1));
    expect(await textOf(await ask('Judge this'))).toBe('{"told":true}');
  });

  it.each<[string, ScriptedAnswer]>([
    ['that fails, with a body of its own', { status: 503, rawBody: '{"error":{"code":"model_unavailable"}}' }],
    ['that fails', { status: 503 }],
  ])('gives by itself what can be scripted: an answer %s', async (_name, failing) => {
    const own = await startProvider({ reply: () => ({ ...failing, delayMs: 1 }) });
    const response = await fetch(`${own.url}/chat/completions`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain(failing.rawBody ?? 'error');
    await own.stop();
  });

  it('never answers, and sees that whoever asked has gone', async () => {
    provider.script(TIMES_OUT);
    const leaving = new AbortController();
    const asked = ask('Judge this', leaving.signal);
    while (provider.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    await expect(asked).rejects.toThrow();
    while (provider.requests[0]?.aborted !== true) await new Promise((resolve) => setImmediate(resolve));
  });

  it.each(Object.entries(UNUSABLE_ANSWERS))('gives an answer that is of no use: %s', async (_name, unusable) => {
    provider.script(unusable);
    expect((await ask('Judge this')).status).toBe(200);
  });
});
