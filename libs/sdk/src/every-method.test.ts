import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { ApiError, Clew } from './index.ts';
import {
  document,
  documentedOperations,
  sampleOf,
  type DocumentedOperation,
  type Schema,
} from './test-support/api-document.ts';

// The stub checks each request against docs/openapi/v1.json, and gives each answer that stands there.

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'api');
const validators = new Map<Schema, ValidateFunction>();

let server: Server;
let clew: Clew;
/** Operation that the next request is to be for, and the status of its answer. */
let expected: { operation: DocumentedOperation; status: string };
let faults: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      faults = faultsOf(expected.operation, { method, url, headers, body: Buffer.concat(parts) });
      const { contentType, text } = answerOf(expected);
      response.writeHead(Number(expected.status), contentType === undefined ? {} : { 'content-type': contentType });
      response.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  clew = new Clew({ baseUrl, apiKey: 'clew_test_x', project: sampleId(), maxRetries: 0 });
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function sampleId(): string {
  return 'prj_01ARZ3NDEKTSV4RRFFQ69G5FAV';
}

function isValid(schema: Schema, value: unknown): boolean {
  const found = validators.get(schema) ?? ajv.compile(inDocument(schema));
  validators.set(schema, found);
  return found(value) as boolean;
}

/** Returns a schema whose references lead into the document. */
function inDocument(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components')) as Schema;
}

interface Received {
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

function faultsOf(operation: DocumentedOperation, { method, url, headers, body }: Received): string[] {
  const { pathname, searchParams } = new URL(url, 'http://stub');
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const values = new RegExp(`^${operation.path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname)?.slice(1);
  if (method.toLowerCase() !== operation.method || values === undefined) return [`${method} ${pathname}`];
  const given = {
    path: Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(values[at] ?? '')])),
    query: Object.fromEntries(searchParams),
    header: headers as Record<string, string>,
  };
  const unknown = Object.keys(given.query).filter(
    (name) => !operation.parameters.some((one) => one.in === 'query' && one.name === name),
  );
  const wrong = operation.parameters.filter(({ in: place, name, required, schema }) => {
    const value = given[place][place === 'header' ? name.toLowerCase() : name];
    return value === undefined ? required === true : !isValid(schema, typed(schema, value));
  });
  return [
    ...unknown.map((name) => `query ${name}`),
    ...wrong.map(({ in: place, name }) => `${place} ${name}`),
    ...bodyFaults(operation, headers['content-type'], body),
  ];
}

/** Returns a text of a query or path as what its schema says that it stands for. */
function typed({ type }: Schema, value: string): unknown {
  return type === 'integer' || type === 'number' || type === 'boolean' ? (JSON.parse(value) as unknown) : value;
}

function bodyFaults(
  { requestBody }: DocumentedOperation,
  contentType: string | string[] | undefined,
  body: Buffer,
): string[] {
  if (requestBody === undefined) return body.length === 0 ? [] : ['a body'];
  if (body.length === 0) return requestBody.required ? ['no body'] : [];
  const [type = ''] = String(contentType).split(';');
  const content = requestBody.content[type];
  if (content === undefined) return [`a body of ${type}`];
  if (type !== 'application/json' || content.schema === undefined) return [];
  const value = JSON.parse(body.toString()) as unknown;
  return isValid(content.schema, value) ? [] : [`body ${body.toString()}`];
}

const ERROR = { error: 'Error', code: 'SOME_CODE', message: 'no', requestId: 'req_1' };

function answerOf({ operation, status }: { operation: DocumentedOperation; status: string }): {
  contentType?: string;
  text: string;
} {
  if (status >= '400') return { contentType: 'application/json', text: JSON.stringify(ERROR) };
  const content = operation.responses[status]?.content ?? {};
  const [first] = Object.entries(content).filter(([type]) => type !== '*/*');
  if (first === undefined) return { text: '' };
  const [contentType, { schema, 'x-itemSchema': item }] = first;
  if (contentType === 'text/event-stream') return { contentType, text: `data: ${JSON.stringify(sampleOf(item))}\n\n` };
  if (contentType === 'application/jsonl') return { contentType, text: `${JSON.stringify(sampleOf(item))}\n` };
  return { contentType, text: JSON.stringify(sampleOf(schema)) };
}

type Method = (...args: unknown[]) => PromiseLike<unknown> & AsyncIterable<unknown>;

function methodOf(name: string): Method {
  return name.split('.').reduce((value: unknown, part) => (value as Record<string, unknown>)[part], clew) as Method;
}

/** Arguments of a method with which its operation is called rightly: ids, body, and every query parameter. */
function argumentsOf(operation: DocumentedOperation): unknown[] {
  const ofPath = operation.parameters.filter((one) => one.in === 'path');
  const own = operation.path.endsWith('/{projectId}') ? ofPath : ofPath.filter(({ name }) => name !== 'projectId');
  const order = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const ids = own
    .toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
    .map(({ schema, name }) => (name === 'projectId' ? sampleId() : sampleOf(schema)));
  const query = operation.parameters.filter((one) => one.in === 'query' && one.name !== 'cursor');
  const params = Object.fromEntries(query.map(({ name, schema }) => [name, sampleOf(schema)]));
  return [...ids, ...(operation.requestBody === undefined ? [] : [bodyOf(operation.requestBody.content)]), params];
}

function bodyOf(content: Record<string, { schema?: Schema }>): unknown {
  if (content['application/json'] !== undefined) return sampleOf(content['application/json'].schema);
  if (content['multipart/form-data'] === undefined) return '{}\n';
  const form = new FormData();
  form.set('model', 'self/m');
  return form;
}

async function outcomeOf(operation: DocumentedOperation, status: string): Promise<unknown> {
  expected = { operation, status };
  faults = ['not called'];
  const call = methodOf(operation['x-sdk'] ?? '')(...argumentsOf(operation));
  if (typeof call.then === 'function') return await call;
  const items: unknown[] = [];
  for await (const item of call) {
    items.push(item);
    // A stream that stands open would be opened again for ever.
    if (operation.operationId === 'listenToChanges') break;
  }
  return items;
}

/** Routes that browsers follow, or that other servers call. */
const WITHOUT_METHOD = ['getHealth', 'startOidc', 'finishOidc', 'receiveProviderWebhook'];
const operations = documentedOperations();
const withMethod = operations.filter((operation) => operation['x-sdk'] !== undefined);

describe('the operations of the API', () => {
  it('have each a method of its own, but for those that no program calls', () => {
    const names = withMethod.map((operation) => operation['x-sdk']);
    expect(new Set(names).size).toBe(names.length);
    const without = operations.filter((operation) => operation['x-sdk'] === undefined);
    expect(without.map(({ operationId }) => operationId).toSorted()).toEqual(WITHOUT_METHOD.toSorted());
  });
});

describe.each(withMethod.map((operation) => [operation['x-sdk'] ?? '', operation] as const))(
  '%s',
  (_name, operation) => {
    const statuses = Object.keys(operation.responses).filter((status) => status !== 'default');

    it('sends a request that the API takes, and decodes each of its answers', async () => {
      for (const status of statuses.filter((each) => each < '400')) {
        const outcome = await outcomeOf(operation, status);
        expect(faults).toEqual([]);
        const { contentType, text } = answerOf(expected);
        if (text === '') expect(outcome).toBeUndefined();
        else if (contentType === 'application/json') expect(outcome).toMatchObject(JSON.parse(text) as object);
        else expect(outcome).toHaveLength(1);
      }
    });

    it('throws each of its errors', async () => {
      for (const status of statuses.filter((each) => each >= '400')) {
        const error: unknown = await outcomeOf(operation, status).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(ApiError);
        expect(error).toMatchObject({ status: Number(status), code: 'SOME_CODE' });
      }
    });
  },
);
