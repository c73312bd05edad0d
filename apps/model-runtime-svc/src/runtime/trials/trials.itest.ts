import { beforeAll, describe, expect, it } from '@jest/globals';
import { keyWith, userWith } from '@clew/testing/identities';
import { PROFILE } from '@clew/testing-model-runtime';
import { useTestRuntime, type RuntimeUser, type TestRuntime } from '../../test-support/runtime-service.ts';

const current = useTestRuntime();
let runtime: TestRuntime;
let user: RuntimeUser;

beforeAll(async () => {
  runtime = current();
  user = runtime.user();
  await Promise.all([user.startModel('tiny'), user.startModel('whisper-tiny')]);
});

const at = (modelId: string) => `/${modelId}/profiles/${PROFILE}/trials`;
const messages = [{ role: 'user', content: 'hi' }];
const chat = (more: object = {}) => ({
  path: '/v1/chat/completions',
  contentType: 'application/json',
  body: { model: 'self/tiny', messages, ...more },
});
const send = (body: unknown, more: object = {}) => user.call({ method: 'POST', path: at('tiny'), body, ...more });

function recording(fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  // The file comes first: fields behind it must be read too.
  form.set('file', new Blob(['RIFF of sound'], { type: 'audio/wav' }), 'a.wav');
  const all = {
    path: '/v1/audio/transcriptions',
    contentType: 'multipart/form-data',
    model: 'self/whisper-tiny',
    ...fields,
  };
  for (const [name, value] of Object.entries(all)) form.set(name, value);
  return form;
}

describe('a trial', () => {
  it('gives the engine the native body, with the name of the model that it knows, and its answer back', async () => {
    const answer = await send(chat({ temperature: 0.5, custom: { kept: [1] } }));
    expect(answer).toMatchObject({
      status: 200,
      body: { received: { model: 'tiny', messages, temperature: 0.5, custom: { kept: [1] } } },
    });
  });

  it('streams what the engine streams', async () => {
    const response = await user.send({ method: 'POST', path: at('tiny'), body: chat({ stream: true }) });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const chunks: string[] = [];
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) chunks.push(decoder.decode(chunk as Uint8Array));
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.join('').trim().split('\n\n')).toHaveLength(4);
  });

  it('gives back an error of the engine as it is', async () => {
    const body = {
      path: '/v1/completions',
      contentType: 'application/json',
      body: { model: 'self/tiny', prompt: 'refuse' },
    };
    expect(await send(body)).toMatchObject({ status: 400, body: { error: { message: 'too long' } } });
  });

  it.each([403, 404, 413, 429, 500, 501, 503, 504])('gives back an answer %i as it is', async (status) => {
    const body = { model: 'self/tiny', prompt: `status ${status}` };
    const answer = await send({ path: '/v1/completions', contentType: 'application/json', body });
    expect(answer).toMatchObject({ status, text: `the engine says ${status}` });
    expect(answer.headers.get('content-type')).toBe('text/plain');
  });

  it('that something else answers than its engine, which has another key, is ours', async () => {
    const body = { model: 'self/tiny', prompt: 'status 401' };
    const answer = await send({ path: '/v1/completions', contentType: 'application/json', body });
    expect(answer).toMatchObject({ status: 503, body: { code: 'UPSTREAM_UNAVAILABLE' } });
  });

  it('may be a form itself, whose own fields the engine does not see', async () => {
    const answer = await user.call({ method: 'POST', path: at('whisper-tiny'), body: recording({ language: 'en' }) });
    expect(answer.status).toBe(200);
    expect(String(answer.body['text']).match(/"\w+"/g)?.toSorted()).toEqual(['"file"', '"language"', '"model"']);
  });

  it('may be JSON that holds the files of a form', async () => {
    const file = { filename: 'a.wav', contentType: 'audio/wav', base64: Buffer.from('RIFF').toString('base64') };
    const answer = await user.call({
      method: 'POST',
      path: at('whisper-tiny'),
      body: {
        path: '/v1/audio/transcriptions',
        contentType: 'multipart/form-data',
        body: { model: 'self/whisper-tiny', file, 'timestamp_granularities[]': ['word', 'segment'], temperature: 0 },
      },
    });
    expect(answer.status).toBe(200);
    expect(String(answer.body['text']).match(/timestamp_granularities/g)).toHaveLength(2);
  });

  it.each([
    ['a key with gateway:invoke', keyWith('gateway:invoke'), 200],
    ['a key with project:data:write', keyWith('project:data:write'), 200],
    ['a person with gateway:invoke', userWith('gateway:invoke'), 200],
    ['a person with project:data:write', userWith('project:data:write'), 200],
    ['a key that manages models only', keyWith('models:manage', 'workspace:read'), 403],
  ])('by %s is %s', async (_name, principal, status) => {
    expect(await send(chat(), { principal })).toMatchObject({ status });
  });
});

describe('a trial is refused with 400', () => {
  it.each([
    ['without a model', chat({ model: undefined }), 'body.body.model'],
    ['for another model', chat({ model: 'self/other' }), 'body.body.model'],
    ['with an integer that would be changed', chat({ seed: 2 ** 53 }), 'body.body.seed'],
    ['for a model of a provider', chat({ model: 'openai/gpt-4o' }), 'body.body.model'],
    ['for a model that is no text', chat({ model: { $ne: '' } }), 'body.body.model'],
    ['without a path', { ...chat(), path: undefined }, 'body.path'],
    ['for a path that is not OpenAI-compatible', { ...chat(), path: '/metrics' }, 'body.path'],
    ['for a path that climbs', { ...chat(), path: '/v1/chat/completions/../../../metrics' }, 'body.path'],
    ['for a path with an escape in it', { ...chat(), path: '/v1/chat%2fcompletions' }, 'body.path'],
    ['for another host', { ...chat(), path: 'http://169.254.169.254/v1/completions' }, 'body.path'],
    ['for another host without scheme', { ...chat(), path: '//evil.example/v1/completions' }, 'body.path'],
    ['for what its engine does not do', { ...chat(), path: '/v1/audio/transcriptions' }, 'body.path'],
    ['in a form that its path does not take', { ...chat(), contentType: 'multipart/form-data' }, 'body.contentType'],
    ['of another media type', { ...chat(), contentType: 'text/plain' }, 'body.contentType'],
    ['without a body', { ...chat(), body: undefined }, 'body.body'],
    ['with a body that is a list', { ...chat(), body: [] }, 'body.body'],
    ['with an unknown field', { ...chat(), url: 'x' }, 'body'],
  ])('%s', async (_name, body, path) => {
    expect(await send(body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', details: expect.arrayContaining([{ path, message: expect.any(String) }]) },
    });
  });

  it.each([
    ['with a path that climbs', { path: '/v1/../metrics' }, 'body.path'],
    ['as if it were JSON', { contentType: 'application/json' }, 'body.contentType'],
    ['for another model', { model: 'self/tiny' }, 'body.model'],
  ])('as a form %s', async (_name, fields, path) => {
    const answer = await user.call({ method: 'POST', path: at('whisper-tiny'), body: recording(fields) });
    expect(answer).toMatchObject({ status: 400, body: { details: [expect.objectContaining({ path })] } });
  });

  it.each([
    ['that is not base64', { filename: 'a.wav', base64: '***' }],
    ['without a name', { base64: 'AAAA' }],
    ['with a line break in its type', { filename: 'a.wav', contentType: 'audio/wav\r\nx: y', base64: 'AAAA' }],
  ])('with a file %s', async (_name, file) => {
    const body = { model: 'self/whisper-tiny', file };
    const trial = { path: '/v1/audio/transcriptions', contentType: 'multipart/form-data', body };
    const answer = await user.call({ method: 'POST', path: at('whisper-tiny'), body: trial });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('of no JSON', async () => {
    const headers = { 'content-type': 'application/json' };
    expect(await send('{', { headers })).toMatchObject({ status: 400, body: { code: 'MALFORMED_BODY' } });
  });

  it('of a form that is cut off', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const body = '--x\r\ncontent-disposition: form-data; name="path"\r\n\r\n/v1/audio';
    const answer = await user.call({ method: 'POST', path: at('whisper-tiny'), headers, body });
    expect(answer).toMatchObject({ status: 400, body: { code: expect.any(String) } });
  });
});

/** Possible faults of a trial, in the order in which they are reported. */
const FAULTS = ['profile', 'schema', 'path', 'model', 'form', 'running'] as const;
type Fault = (typeof FAULTS)[number];
const TOLD: Readonly<Record<Fault, { status: number; code: string; path?: RegExp }>> = {
  profile: { status: 404, code: 'PROFILE_NOT_FOUND' },
  schema: { status: 400, code: 'VALIDATION_FAILED', path: /^body\.contentType$/ },
  path: { status: 400, code: 'VALIDATION_FAILED', path: /^body\.path$/ },
  model: { status: 400, code: 'VALIDATION_FAILED', path: /^body\.(?:body\.)?model$/ },
  form: { status: 400, code: 'VALIDATION_FAILED', path: /^body\.(?:body\.)?file/ },
  running: { status: 409, code: 'SERVICE_NOT_RUNNING' },
};
const PAIRS = FAULTS.flatMap((first, index) => FAULTS.slice(index).map((second) => [first, second] as const));

function faultyForm(has: (fault: Fault) => boolean): FormData {
  const form = recording({
    ...(has('schema') ? { contentType: 'text/plain' } : {}),
    ...(has('path') ? { path: '/v1/chat/completions' } : {}),
    ...(has('model') ? { model: 'self/other' } : {}),
  });
  if (has('form')) form.delete('file');
  return form;
}

function faultyJson(has: (fault: Fault) => boolean): object {
  const file = { filename: 'a.wav', base64: has('form') ? '***' : 'AAAA' };
  return {
    path: has('path') ? '/v1/chat/completions' : '/v1/audio/transcriptions',
    contentType: has('schema') ? 'text/plain' : 'multipart/form-data',
    body: { model: has('model') ? 'self/other' : 'self/whisper-tiny', file },
  };
}

describe('of what is wrong with a trial the same comes first, sent as JSON or as a form', () => {
  it.each(PAIRS)('%s before %s', async (...faults) => {
    const has = (fault: Fault) => faults.includes(fault);
    const caller = has('running') ? runtime.user() : user;
    const path = has('profile') ? '/whisper-tiny/profiles/q9/trials' : at('whisper-tiny');
    const { status, code, path: field } = TOLD[faults[0]];
    for (const body of [faultyJson(has), faultyForm(has)]) {
      const answer = await caller.call({ method: 'POST', path, body });
      expect(answer).toMatchObject({ status, body: { code } });
      if (field === undefined) continue;
      expect(answer.body['details']).toEqual([expect.objectContaining({ path: expect.stringMatching(field) })]);
    }
  });
});

describe('a trial finds', () => {
  it('no model of another project, no unknown profile, and no service that was not started', async () => {
    const other = runtime.user();
    expect(await other.call({ method: 'POST', path: at('tiny'), body: chat() })).toMatchObject({
      status: 409,
      body: { code: 'SERVICE_NOT_RUNNING' },
    });
    expect(await user.call({ method: 'POST', path: at('nothing'), body: chat() })).toMatchObject({
      status: 404,
      body: { code: 'MODEL_NOT_FOUND' },
    });
    expect(await user.call({ method: 'POST', path: '/tiny/profiles/q9/trials', body: chat() })).toMatchObject({
      status: 404,
      body: { code: 'PROFILE_NOT_FOUND' },
    });
  });
});
