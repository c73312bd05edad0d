import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RouteSpec } from '@clew/contracts';
import { publicRoutes } from '@clew/contracts/all-routes';
import { CHAT_REPO, type LoopbackHub } from '@clew/testing/hub';
import { callApi } from './support/api.ts';
import { newColleague, signInOwner, type SignedInPerson } from './support/colleagues.ts';
import { createTestDataset } from './support/datasets.ts';
import { startModelHub } from './support/model-hub.ts';
import { signInAsOwner } from './support/people.ts';
import { runSchemathesis, type SchemathesisRun } from './support/schemathesis.ts';
import { runningStack } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const MIN_CASES = 10_000;
const MAX_EXAMPLES = 20;
const TIMEOUT_MS = 3_600_000;
const DEPENDENT_ERRORS = ['PROVIDER_UNAVAILABLE', 'WORK_ITEM_PROVIDER_UNAVAILABLE'] as const;

/** Operations by which a person ends what the other cases need; the last one ends the sessions of all others. */
const ENDING = ['signOut', 'endMySession', 'deleteProject', 'endMyOtherSessions'];
/** Operation by which a key ends itself. */
const ENDING_OF_KEYS = 'revokeOwnKey';
/** Operation of no route spec. */
const HEALTH = 'getHealth';

/** Operations that a key may call. */
const OF_KEYS = operationsWhere(({ access }) => access.kind !== 'caller' || access.scopes.length > 0);
/** Operations that a session opens: those for programs take keys only. */
const OF_PEOPLE = operationsWhere(
  ({ errorFormat, routeClass = 'json' }) => errorFormat !== 'openai' && !['otlp', 'inference'].includes(routeClass),
);
/** Operations that call a third party: the cases create providers and connectors at addresses without a server. */
const OF_OTHERS = operationsWhere(({ errors }) => DEPENDENT_ERRORS.some((code) => errors?.includes(code) === true));

function operationsWhere(holds: (spec: RouteSpec) => boolean): string[] {
  return publicRoutes()
    .filter(holds)
    .map(({ operationId }) => operationId);
}

type Credential = SchemathesisRun['credential'];

/** Project with data, and ids of it that the cases use. */
interface Subject {
  project: TestProject;
  parameters: Readonly<Record<string, string>>;
}

let hub: LoopbackHub;
let ofKeys: Subject;
let ofPeople: Subject;
let signedInPerson: Credential;
const ending: [operationId: string, signedInPerson: Credential][] = [];
let cases = 0;

// All sign-ins come first: cases that fail to sign in make others wait.
beforeAll(async () => {
  hub = await startModelHub([CHAT_REPO]);
  const owner = await signInOwner();
  [ofKeys, ofPeople] = [await createSubject(owner), await createSubject(owner)];
  signedInPerson = await session();
  for (const operationId of ENDING) ending.push([operationId, await session()]);
}, TIMEOUT_MS);

afterAll(() => hub.stop());

const CANCEL = { id: 'c1', type: 'function', function: { name: 'cancel_order', arguments: '{"id":17}' } };

/** Creates a project with data to read: without it, most cases would end with a 404. */
async function filledProject(): Promise<TestProject> {
  const project = await createTestProject('schemathesis');
  const messages = [
    { role: 'user', content: 'Cancel order 17.' },
    { role: 'assistant', content: null, tool_calls: [CANCEL] },
    { role: 'tool', tool_call_id: CANCEL.id, content: 'Error: 503 from billing' },
    { role: 'assistant', content: 'Done, your order is cancelled.' },
  ];
  const line = JSON.stringify({ id: 'filled', messages });
  const { status } = await project.call('/conversations/import', { body: line });
  expect(status).toBe(200);
  await project.readyConversation('filled');
  await createTestDataset(project);
  return project;
}

async function session(): Promise<Credential> {
  const { headers } = await signInAsOwner();
  return { scheme: 'session', value: headers['cookie']?.split('=')[1] ?? '' };
}

async function createSubject(owner: SignedInPerson): Promise<Subject> {
  const project = await filledProject();
  const { body: model } = await project.call<{ selectedProfileId: string }>('/models/smollm2-135m-instruct');
  const { person } = await newColleague(owner, { projectRoles: [{ projectId: project.id, role: 'viewer' }] });
  return {
    project,
    parameters: {
      projectId: project.id,
      conversationId: 'filled',
      modelId: 'smollm2-135m-instruct',
      profileId: model.selectedProfileId,
      personId: person.id,
      userId: person.id,
    },
  };
}

async function run({ parameters }: Subject, credential: Credential, operations: readonly string[]): Promise<void> {
  const report = await runSchemathesis({
    baseUrl: runningStack().gatewayUrl,
    credential,
    operations,
    parameters,
    dependent: OF_OTHERS,
    maxExamples: MAX_EXAMPLES,
    seed: process.env['CLEW_SCHEMATHESIS_SEED'],
  });
  const { failures, errors, seed, test_cases, warnings } = report;
  cases += test_cases.generated;
  const figures = { scheme: credential.scheme, cases: test_cases.generated, operations: report.operations };
  process.stdout.write(`${JSON.stringify({ ...figures, failures, errors, seed })}\n`);
  expect({ failures, errors }).toEqual({ failures: [], errors: [] });
  const { length: count } = operations;
  expect(report.operations).toMatchObject({ selected: count, tested: count });
  const { unsupported_regex, missing_deserializer } = warnings;
  expect({ unsupported_regex, missing_deserializer }).toEqual({ unsupported_regex: [], missing_deserializer: [] });
}

describe('the API answers as its description says, in every case that is made from it,', () => {
  it(
    'to a key',
    async () => {
      const { project } = ofKeys;
      const credential = { scheme: 'apiKey', value: project.apiKey } as const;
      await run(ofKeys, credential, [...OF_KEYS.filter((id) => id !== ENDING_OF_KEYS), HEALTH]);
      expect((await callApi(project.apiKey, '/v1/me')).status).toBe(200);
      await run(ofKeys, credential, [ENDING_OF_KEYS]);
    },
    TIMEOUT_MS,
  );

  // After the keys: an owner may revoke any of them.
  it(
    'to a person who is signed in',
    async () => {
      const staying = OF_PEOPLE.filter((operationId) => !ENDING.includes(operationId));
      await run(ofPeople, signedInPerson, [...staying, HEALTH]);
      const headers = { cookie: `clew_session=${signedInPerson.value}` };
      const me = await fetch(new URL('/v1/me', runningStack().gatewayUrl), { headers });
      expect(me.status).toBe(200);
      for (const [operationId, credential] of ending) await run(ofPeople, credential, [operationId]);
    },
    TIMEOUT_MS,
  );

  it(`in ${MIN_CASES} cases or more`, () => {
    expect(cases).toBeGreaterThanOrEqual(MIN_CASES);
  });
});
