import { once } from 'node:events';
import { request as sendRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { IDENTITY_HEADER } from '@clew/http';
import { newId } from '@clew/kernel';
import { eventually, useTestEnvironment } from '@clew/testing';
import { keyWith } from '@clew/testing/identities';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { startTestService, type Answer, type TestService } from '../../test-support/service.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const environment = useTestEnvironment();
const [greedy, other] = [newId('prj'), newId('prj')];
let service: TestService;
let provider: ScriptedProvider;
let open: ClientRequest[] = [];

beforeAll(async () => {
  // Room for bodies of 4 MiB in total, of which one project gets at most 3.
  const env = { MAX_INFERENCE_BYTES_IN_FLIGHT: String(16 * MIB), MAX_INFERENCE_SPOOL_BYTES: String(4 * MIB) };
  service = await startTestService(environment, { env });
  provider = await startProvider();
  for (const projectId of [greedy, other]) {
    const body = { name: 'loop', baseUrl: provider.url };
    await service.call({ projectId, path: `/v1/projects/${projectId}/models/providers`, body });
  }
});

afterEach(() => {
  for (const request of open) request.destroy();
  open = [];
});

afterAll(async () => {
  await service.stop();
  await provider.stop();
});

const CHAT = '/v1/chat/completions';
const TRANSCRIPTIONS = '/v1/audio/transcriptions';
const BOUNDARY = 'x-boundary';
const FILE_HEAD = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n`;

interface Sending {
  request: ClientRequest;
  /** Resolves with the status and the error of the answer, if there is one. */
  answer: Promise<{ status: number; retryAfter: string | undefined; code: unknown; type: unknown }>;
}

/** Starts a call of the greedy project that announces a large body, and sends only `sentBytes` of it. */
function begin(path: string, sentBytes: number): Sending {
  const isForm = path === TRANSCRIPTIONS;
  const token = service.identities.at('model-runtime-svc').tokenOf(keyWith('gateway:invoke'), greedy);
  const request = sendRequest(`${service.url}${path}`, {
    method: 'POST',
    agent: false,
    headers: {
      [IDENTITY_HEADER]: token,
      'content-type': isForm ? `multipart/form-data; boundary=${BOUNDARY}` : 'application/json',
      'content-length': String(3 * MIB),
      // The service answers `100 Continue` when it handles the call.
      expect: '100-continue',
    },
  });
  open.push(request);
  request.flushHeaders();
  request.on('error', () => undefined);
  if (sentBytes > 0) request.write((isForm ? FILE_HEAD : '').padEnd(sentBytes, ' '));
  const answered = (once(request, 'response') as Promise<[IncomingMessage]>).then(async ([response]) => {
    const { error } = (await json(response)) as { error: Record<string, unknown> };
    const retryAfter = response.headers['retry-after'];
    return { status: response.statusCode ?? 0, retryAfter, code: error['code'], type: error['type'] };
  });
  answered.catch(() => undefined);
  return { request, answer: answered };
}

function callAs(projectId: string, path: string, bytes: number): Promise<Answer<Record<string, unknown>>> {
  const text = 'x'.repeat(bytes);
  if (path === CHAT) {
    const messages = [{ role: 'user', content: text }];
    return service.call({ projectId, path, body: { model: 'loop/tiny-chat', messages } });
  }
  const form = new FormData();
  form.append('model', 'loop/tiny-whisper');
  form.append('file', new Blob([text]), 'a.wav');
  return service.call({ projectId, path, body: form });
}

/** Makes the greedy project send more than its share; resolves with the first refusal. */
function takeAll(path: string): Sending['answer'] {
  return Promise.any(Array.from({ length: 8 }, () => begin(path, 512 * KIB).answer));
}

describe.each([CHAT, TRANSCRIPTIONS])('bodies of one project (%s)', (path) => {
  it('cost nothing before they come, however large they say that they will be', async () => {
    const idle = Array.from({ length: 8 }, () => begin(path, 0));
    await Promise.all(idle.map(({ request }) => once(request, 'continue')));
    for (const projectId of [greedy, other]) expect((await callAs(projectId, path, 10 * KIB)).status).toBe(200);
  });

  it('leave another project its share, and are told to come back themselves', async () => {
    const expected = { status: 429, retryAfter: '1', code: 'rate_limited', type: 'rate_limit_error' };
    expect(await takeAll(path)).toEqual(expected);
    expect((await callAs(other, path, 900 * KIB)).status).toBe(200);
  });

  it('give their room back when their callers go away', async () => {
    await takeAll(path);
    open.splice(0).forEach((request) => request.destroy());
    await eventually(async () => expect((await callAs(greedy, path, 2 * MIB)).status).toBe(200));
  });
});
