import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Dataset, Example, RouteSpec } from '@clew/contracts';
import { publicRoutes } from '@clew/contracts/all-routes';
import { derivedId, newId, type ErrorBody } from '@clew/kernel';
import { callApi } from './support/api.ts';
import { createTestDataset } from './support/datasets.ts';
import { signInAsOwner, type SignedInBrowser } from './support/people.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

let project: TestProject;
let path: string;
let owner: SignedInBrowser;

beforeAll(async () => {
  project = await createTestProject('strict input');
  path = (await createTestDataset(project)).path;
  owner = await signInAsOwner();
});

/** Well-formed value for each path parameter. */
const PARAMETERS: Readonly<Record<string, string>> = {
  activityId: 'nothing',
  analysisId: 'anl_nobody',
  backfillId: 'rbfill_nobody',
  connectorId: newId('con'),
  conversationId: 'nobody',
  datasetId: newId('dst'),
  deliveryId: derivedId('dlv', 'nobody'),
  engine: 'llama.cpp',
  erasureId: derivedId('ers', 'nobody'),
  exampleId: newId('ex'),
  expectationId: 'exp_nobody',
  findingId: 'fnd_nobody',
  generation: '1',
  goalId: newId('goal'),
  invitationId: newId('inv'),
  itemId: newId('kitm'),
  keyId: newId('key'),
  modelId: 'none',
  name: 'none',
  personId: newId('usr'),
  profileId: 'none',
  provider: 'none',
  projectErasureId: derivedId('pers', 'nobody'),
  ruleId: 'rule_nobody',
  sessionId: newId('ses'),
  token: 'x'.repeat(43),
  traceId: '0'.repeat(32),
  userId: newId('usr'),
  webhookId: newId('whk'),
  workItemId: newId('wi'),
};

/** Calls a route with the credential that it takes: the session of a person, or the key of the project. */
async function callAs({ access, sameOrigin }: RouteSpec, at: string, method: string) {
  const isForPeople = sameOrigin === true || (access.kind === 'caller' && access.scopes.length === 0);
  if (!isForPeople) return await callApi<unknown>(project.apiKey, at, { method });
  const response = await owner.call(method, at);
  return { status: response.status, body: (await response.json()) as unknown };
}

describe('a query parameter that a route does not know', () => {
  const routes = publicRoutes().filter(({ takesAnyQuery }) => takesAnyQuery !== true);

  it.each(routes.map((spec) => [spec.operationId, spec] as const))('is 400 at %s', async (_operation, spec) => {
    const values = { ...PARAMETERS, projectId: project.id };
    const filled = spec.path.replace(
      /:(\w+)/g,
      (_match, name: string) => (values as Record<string, string>)[name] ?? '',
    );
    expect(filled).not.toContain('//');
    const method = spec.method.toUpperCase();
    const { status, body } = await callAs(spec, `${filled}?surprise=1`, method);
    const code = spec.errorFormat === 'openai' ? 'validation_failed' : (spec.invalidQueryCode ?? 'VALIDATION_FAILED');
    expect({ status, text: JSON.stringify(body) }).toEqual({ status: 400, text: expect.stringContaining(`"${code}"`) });
    expect(JSON.stringify(body)).toContain('surprise');
  });

  it('is 400 also where it is known and given twice', async () => {
    expect(await project.call('/datasets?limit=1&limit=1')).toMatchObject({
      status: 400,
      body: { details: [{ path: 'query.limit', message: 'is given twice' }] },
    });
  });
});

describe('what would not come back as it was sent', () => {
  const example = (value: string) =>
    `{"source":{"kind":"manual","externalRef":"x"},"payload":{"input":{"type":"json","value":${value}}}}`;
  const create = (body: string) => project.call<Example & ErrorBody>(`${path}/examples`, { body, headers: JSON_TYPE });

  it.each([
    ['9007199254740992', 'body.payload.input.value'],
    ['[-9007199254740993]', 'body.payload.input.value.0'],
    ['{"a":1e999}', 'body.payload.input.value.a'],
    ['{"a":{"b":1,"b":1}}', 'body.payload.input.value.a.b'],
  ])('is 400 with its place in an Example: %s', async (value, field) => {
    const refused = { status: 400, body: { error: 'Bad Request', details: [{ path: field }] } };
    expect(await create(example(value))).toMatchObject(refused);
    const batch = `{"examples":[${example('1')},${example(value)}]}`;
    expect(await project.call(`${path}/examples/batch`, { body: batch, headers: JSON_TYPE })).toMatchObject({
      status: 400,
      body: { details: [{ path: field.replace('body.', 'body.examples.1.') }] },
    });
    const imported = await project.call(`${path}/imports?format=jsonl`, { body: example(value) });
    const refusedLine = { line: 1, path: field.replace('body.', '') };
    expect(imported).toMatchObject({ status: 200, body: { imported: 0, refused: [refusedLine] } });
  });

  it.each(['9007199254740991', '-9007199254740991', '1e21', '0.1', '-1.5e300', '"9007199254740993"'])(
    'is not %s, which comes back',
    async (value) => {
      const { status, body } = await create(example(value));
      expect({ status, input: body.payload.input }).toEqual({
        status: 201,
        input: { type: 'json', value: JSON.parse(value) as unknown },
      });
    },
  );

  it.each([
    ['half a character in its name', { name: 'a\ud800' }, 'body.name'],
    ['a control character in its name', { name: 'a\u0000b' }, 'body.name'],
    ['half a character in its description', { description: '\udc00' }, 'body.description'],
    ['a control character in its description', { description: 'a\u001b[0m' }, 'body.description'],
    ['a model that no provider can have', { collectionModel: 'Acme/large' }, 'body.collectionModel'],
    ['a model with a control character', { collectionModel: 'acme/lar\u0000ge' }, 'body.collectionModel'],
  ])('is 400 for a Dataset with %s', async (_what, fields, field) => {
    const policy = { collectionObjective: 'correct_failed_conversations' };
    const body = { name: 'strict', schema: { type: 'chat', version: 1 }, ...policy, ...fields };
    const refused = { status: 400, body: { error: 'Bad Request', details: [{ path: field }] } };
    expect(await project.call('/datasets', { body })).toMatchObject(refused);
    expect(await project.call(path, { method: 'PATCH', body: { ...policy, ...fields } })).toMatchObject(refused);
  });

  it('is not the description with line breaks that a Dataset may have', async () => {
    const description = 'First line.\r\n\n\tSecond. \u{1f600} ';
    const { dataset, path: made } = await createTestDataset(project, { description });
    expect(dataset.description).toBe(description);
    expect((await project.call<Dataset>(made)).body.description).toBe(description);
  });
});

describe('an address that is none', () => {
  it.each(['', 'not a url', 'http://', 'http://['])('is 400 for a provider, made or changed: %j', async (baseUrl) => {
    const refused = { status: 400, body: { code: 'VALIDATION_FAILED', details: [{ path: 'body.baseUrl' }] } };
    await project.call('/models/providers', { body: { name: 'acme', baseUrl: 'https://api.acme.example/v1' } });
    expect(await project.call('/models/providers', { body: { name: 'other', baseUrl } })).toMatchObject(refused);
    const change = { method: 'PATCH', body: { baseUrl } };
    expect(await project.call('/models/providers/acme', change)).toMatchObject(refused);
  });
});

describe('minDiagnosticScore', () => {
  it.each([
    ['1e-05', 200],
    ['0.50', 200],
    ['1', 200],
    ['Infinity', 400],
    ['0x1', 400],
    ['1.1', 400],
    ['.5', 400],
  ])('of %s answers %i', async (score, status) => {
    const answer = await project.call<ErrorBody>(`/diagnostics/findings?minDiagnosticScore=${score}`);
    expect([answer.status, answer.body.code]).toEqual([status, status === 400 ? 'INVALID_FILTER' : undefined]);
  });
});
