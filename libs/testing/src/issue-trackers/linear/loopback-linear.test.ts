import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AuthenticationLinearError,
  ForbiddenLinearError,
  InvalidInputLinearError,
  LinearClient,
  RatelimitedLinearError,
  type LinearDocument,
} from '@linear/sdk';
import { LinearWebhookClient } from '@linear/sdk/webhooks';
import { buildSchema, parse, type FieldDefinitionNode } from 'graphql';
import { LINEAR_SCHEMA } from './linear-schema.ts';
import { startLoopbackLinear, type LoopbackLinear } from './loopback-linear.ts';
import { issueView, TEAM } from './linear-views.ts';

const UUID = '9cfb482a-81e3-4154-b5b9-2c805e70a0aa';
const CREATE =
  'mutation ($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { id identifier state { type } } } }';
const READ = 'query ($id: String!) { issue(id: $id) { id title trashed state { type } } }';

let host: LoopbackLinear;
let client: LinearClient;

beforeAll(async () => {
  host = await startLoopbackLinear();
  client = new LinearClient({ apiKey: host.credentials['token'] ?? '', apiUrl: `${host.baseUrl}/graphql` });
});
afterAll(() => host.stop());

const send = async (query: string, variables: Record<string, unknown> = {}) =>
  (await client.client.rawRequest(query, variables)).data;
const refused = async (work: Promise<unknown>) => (await work.catch((error: unknown) => error)) as object;
/** Input in the type of the official client. */
const input = (more: Partial<LinearDocument.IssueCreateInput> = {}): LinearDocument.IssueCreateInput => ({
  ...{ teamId: TEAM.id, title: 'One', description: 'Text', priority: 2 },
  ...more,
});

describe('the official client of Linear', () => {
  it('creates an issue with its own id, once', async () => {
    const created = await send(CREATE, { input: input({ id: UUID }) });
    expect(created).toEqual({
      issueCreate: { success: true, issue: { id: UUID, identifier: 'ENG-1', state: { type: 'unstarted' } } },
    });
    expect(await refused(send(CREATE, { input: input({ id: UUID }) }))).toBeInstanceOf(InvalidInputLinearError);
    expect(await refused(send(CREATE, { input: input({ id: 'no UUID' }) }))).toBeInstanceOf(InvalidInputLinearError);
    expect(host.issues).toHaveLength(1);
  });

  it('changes and comments it, by its identifier too', async () => {
    const { workflowStates } = (await send(
      '{ workflowStates(filter: {type: {eq: "completed"}}) { nodes { id } } }',
    )) as {
      workflowStates: { nodes: { id: string }[] };
    };
    const change =
      'mutation ($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success } }';
    const update: LinearDocument.IssueUpdateInput = { title: 'Two', stateId: workflowStates.nodes[0]?.id ?? '' };
    await send(change, { id: 'ENG-1', input: update });
    expect(await send(READ, { id: UUID })).toMatchObject({ issue: { title: 'Two', state: { type: 'completed' } } });
    const comment: LinearDocument.CommentCreateInput = { issueId: UUID, body: 'A comment' };
    await send('mutation ($input: CommentCreateInput!) { commentCreate(input: $input) { success } }', {
      input: comment,
    });
    expect(host.issues[0]?.comments).toHaveLength(1);
  });

  it.each([200, 400] as const)('is refused as by Linear, with status %i', async (errorStatus) => {
    host.settings.errorStatus = errorStatus;
    expect(await refused(send(READ, { id: 'ENG-999' }))).toBeInstanceOf(InvalidInputLinearError);
    expect(await refused(send(CREATE, { input: { title: 'No team' } }))).toMatchObject({ status: 400 });
    host.settings.isReadOnly = true;
    expect(await refused(send(CREATE, { input: input() }))).toBeInstanceOf(ForbiddenLinearError);
    host.settings.isReadOnly = false;
    host.settings.isRevoked = true;
    expect(await refused(send(READ, { id: UUID }))).toBeInstanceOf(AuthenticationLinearError);
    host.settings.isRevoked = false;
  });

  it('hears of a limit of the rate, and when it ends, in milliseconds', async () => {
    host.faults.next({ kind: 'rate_limited', as: 'reset', seconds: 5 });
    const error = await refused(send(READ, { id: UUID }));
    expect(error).toBeInstanceOf(RatelimitedLinearError);
    expect((error as RatelimitedLinearError).requestsResetAt).toBeGreaterThan(Date.now());
  });

  it('keeps a deleted issue in the bin, until the bin is emptied', async () => {
    const issue = host.add('Deleted');
    host.remove(issue);
    expect(await send(READ, { id: issue.uid })).toMatchObject({ issue: { trashed: true } });
    host.settings.emptiesBin = true;
    expect(await refused(send(READ, { id: issue.uid }))).toBeInstanceOf(InvalidInputLinearError);
    host.settings.emptiesBin = false;
  });

  it('accepts the signature of its webhooks', () => {
    const webhooks = new LinearWebhookClient(host.webhookSecret);
    host.put(host.issues[0]!, 'cancelled');
    const { body, headers } = host.deliveryOf(host.events.at(-1)!);
    const payload = webhooks.parseData(body, headers['linear-signature'] ?? '', headers['linear-timestamp']);
    expect(payload).toMatchObject({ type: 'Issue', action: 'update' });
    expect(() => webhooks.parseData(Buffer.from(`${body.toString()} `), headers['linear-signature'] ?? '')).toThrow();
  });
});

describe('the schema of Linear on loopback', () => {
  it('has issues with members of the types of the official client', () => {
    const { team: _team, state: _state, priority: _priority, ...members } = issueView(host.issues[0]!);
    // Dates are texts on the wire.
    const published: Partial<Record<keyof LinearDocument.IssueFragment, unknown>> = members;
    expect(Object.keys(published)).toHaveLength(12);
  });

  it.each(['Issue', 'WorkflowState', 'Team', 'Comment', 'User', 'Organization', 'PageInfo'])(
    'has no member of %s that the official client does not know',
    async (name) => {
      const sdk: Record<string, unknown> & { LinearDocument: Record<string, unknown> } = await import('@linear/sdk');
      // The client asks for the plain members of a type at once, and has a getter for each other type that it leads to.
      const { prototype = {} } = (sdk[name] ?? {}) as { prototype?: object };
      const asked = fieldsIn(sdk.LinearDocument[`${name}FragmentDoc`], name);
      const published = new Set([...asked, ...Object.getOwnPropertyNames(prototype)]);
      const own = buildSchema(LINEAR_SCHEMA).getType(name)?.astNode as { fields?: readonly FieldDefinitionNode[] };
      expect((own.fields ?? []).map((field) => field.name.value).filter((field) => !published.has(field))).toEqual([]);
    },
  );
});

/** Reads the fields of a type that a fragment of the official client asks for. */
function fieldsIn(fragment: unknown, type: string): string[] {
  const { definitions } = parse(String(fragment));
  return definitions.flatMap((definition) =>
    definition.kind === 'FragmentDefinition' && definition.typeCondition.name.value === type
      ? definition.selectionSet.selections.flatMap((selection) =>
          selection.kind === 'Field' ? [selection.name.value] : [],
        )
      : [],
  );
}
