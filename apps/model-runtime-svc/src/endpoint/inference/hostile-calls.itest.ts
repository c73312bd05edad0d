import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '@clew/kernel';
import { propertyRuns, useTestEnvironment } from '@clew/testing';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { startTestService, type TestService } from '../../test-support/service.ts';

const environment = useTestEnvironment();
const projectId = newId('prj');
let service: TestService;
let provider: ScriptedProvider;

beforeAll(async () => {
  const env = { MAX_INFERENCE_BODY_BYTES: '100000', MAX_AUDIO_BODY_BYTES: '100000' };
  service = await startTestService(environment, { env });
  provider = await startProvider();
  const body = { name: 'loop', baseUrl: provider.url };
  await service.call({ projectId, path: `/v1/projects/${projectId}/models/providers`, body });
});

afterAll(async () => {
  await service.stop();
  await provider.stop();
});

describe('whatever a caller sends', () => {
  it('is answered below 500, in the form of the OpenAI API', async () => {
    const member = fc.oneof(
      fc.jsonValue(),
      fc.constant('loop/tiny-chat'),
      fc.constant([{ role: 'user', content: 'x' }]),
    );
    const body = fc.record(
      {
        ...{ model: member, messages: member, prompt: member, input: member, metadata: member, user: member },
        ...{ tools: fc.jsonValue(), stream_options: fc.jsonValue(), stream: fc.oneof(fc.boolean(), fc.jsonValue()) },
      },
      { requiredKeys: [] },
    );
    const path = fc.constantFrom('/v1/chat/completions', '/v1/completions', '/v1/embeddings');
    await fc.assert(
      fc.asyncProperty(path, body, async (route, sent) => {
        const answer = await service.call({ projectId, path: route, body: sent });
        expect(answer.status).toBeLessThan(500);
        if (answer.status !== 200) {
          expect(answer.body).toMatchObject({ error: { message: expect.any(String), type: expect.any(String) } });
        }
      }),
      propertyRuns(60),
    );
  });

  it('is refused where it is larger than allowed, declared or not', async () => {
    const large = { model: 'loop/tiny-chat', messages: [{ role: 'user', content: 'x'.repeat(200_000) }] };
    const answer = await service.call({ projectId, path: '/v1/chat/completions', body: large });
    expect(answer).toMatchObject({ status: 413, body: { error: { code: 'payload_too_large' } } });
    const form = new FormData();
    form.append('model', 'loop/tiny-whisper');
    form.append('file', new Blob([new Uint8Array(200_000)]), 'a.wav');
    const recording = await service.call({ projectId, path: '/v1/audio/transcriptions', body: form });
    expect(recording).toMatchObject({ status: 413, body: { error: { code: 'payload_too_large' } } });
  });

  it.each([
    ['two recordings', ['file', 'file']],
    ['a recording and a picture', ['file', 'image']],
  ])('is refused with %s', async (_what, names) => {
    const form = new FormData();
    form.append('model', 'loop/tiny-whisper');
    for (const name of names) form.append(name, new Blob(['x']), 'a.wav');
    const answer = await service.call({ projectId, path: '/v1/audio/transcriptions', body: form });
    expect(answer).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } });
  });

  it('is refused as a form that ends before its end', async () => {
    const body = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\nbytes that stop';
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await service.call({ projectId, path: '/v1/audio/transcriptions', body, headers });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'malformed_body' } } });
  });
});
