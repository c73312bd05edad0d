import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startBeside, type ProcessBeside } from '@clew/stack';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import OpenAI from 'openai';
import { stackHome } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const EDGE = { DEPLOYMENT_TARGET: 'edge' };
/** Routes of the Model Runtime as listed in the specification. */
const ROUTES = [
  'GET /runtime',
  'GET /activity',
  'GET /catalog',
  'GET /smollm2-135m-instruct',
  'GET /smollm2-135m-instruct/profiles/gguf-q4_1',
  'GET /smollm2-135m-instruct/hub-details',
  'POST /catalog-refreshes',
  'POST /imports/hub',
  'POST /engines/llama.cpp/installations',
  'DELETE /engines/llama.cpp/installations/1',
  'DELETE /engines/llama.cpp',
  'POST /smollm2-135m-instruct/profiles/gguf-q4_1/downloads',
  'DELETE /smollm2-135m-instruct/profiles/gguf-q4_1/downloads/1',
  'PUT /smollm2-135m-instruct/profiles/gguf-q4_1/service',
  'DELETE /smollm2-135m-instruct/profiles/gguf-q4_1/service',
  'DELETE /smollm2-135m-instruct/profiles/gguf-q4_1',
  'POST /smollm2-135m-instruct/profiles/gguf-q4_1/trials',
] as const;

let project: TestProject;
let provider: ScriptedProvider;
let service: ProcessBeside | undefined;
let gateway: ProcessBeside | undefined;

beforeAll(async () => {
  project = await createTestProject('edge');
  provider = await startProvider({ apiKey: 'sk-provider' });
  service = await startBeside(stackHome(), 'model-runtime-svc', EDGE);
  gateway = await startBeside(stackHome(), 'gateway', { ...EDGE, MODEL_RUNTIME_SVC_URL: service.url });
}, 120_000);

afterAll(async () => {
  await gateway?.stop();
  await service?.stop();
  await provider.stop();
});

async function call(method: string, path: string, body?: object) {
  const response = await fetch(new URL(path, gateway?.url), {
    method,
    headers: { authorization: `Bearer ${project.apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

describe('the edge runtime deployment', () => {
  it('says so in its health status', async () => {
    for (const url of [gateway?.url, service?.url]) {
      const health = await fetch(new URL('/healthz', url));
      expect(await health.json()).toMatchObject({ status: 'ok', deploymentTarget: 'edge' });
    }
  });

  it.each(ROUTES)('has no Model Runtime: %s is 503 MODEL_RUNTIME_UNAVAILABLE', async (route) => {
    const [method = '', path = ''] = route.split(' ');
    expect(await call(method, `/v1/projects/${project.id}/models${path}`)).toMatchObject({
      status: 503,
      body: { error: 'Service Unavailable', code: 'MODEL_RUNTIME_UNAVAILABLE', requestId: expect.any(String) },
    });
  });

  it('serves inference through providers all the same, and no local model', async () => {
    const body = { name: 'loop', baseUrl: provider.url, apiKey: 'sk-provider' };
    expect((await call('POST', `/v1/projects/${project.id}/models/providers`, body)).status).toBe(201);
    const client = new OpenAI({ apiKey: project.apiKey, baseURL: new URL('/v1', gateway?.url).href, maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    const answer = await client.chat.completions.create({ model: 'loop/tiny-chat', messages });
    expect(answer.choices[0]?.message.content).toBe('You said: Hello');
    const local = client.chat.completions.create({ model: 'self/smollm2-135m-instruct', messages });
    await expect(local).rejects.toMatchObject({ status: 409, code: 'service_not_running' });
  });
});

it('there are seventeen of them', () => expect(new Set(ROUTES).size).toBe(17));
