import { describe, expect, it } from '@jest/globals';
import { ERROR_STATUS } from '@clew/kernel';
import { errorsOf, honoursIfMatch, takesBody, type RouteSpec } from '@clew/contracts';
import { publicRoutes } from '@clew/contracts/all-routes';
import { openApiDocument } from './document.ts';

interface Operation {
  operationId: string;
  parameters?: { in: string; name: string; required?: boolean; schema: Record<string, unknown> }[];
  requestBody?: { required: boolean; content: Record<string, unknown> };
  responses: Record<string, { $ref?: string; headers?: object; content?: Record<string, { schema?: unknown }> }>;
}

// Parsed from JSON, as other tools read it.
const document = JSON.parse(JSON.stringify(openApiDocument())) as {
  paths: Record<string, Record<string, Operation>>;
};
const routes = publicRoutes();

function operationOf({ path, method }: Pick<RouteSpec, 'path' | 'method'>): Operation {
  return document.paths[path.replace(/:(\w+)/g, '{$1}')]![method]!;
}

function named(operationId: string): Operation {
  return operationOf(routes.find((route) => route.operationId === operationId)!);
}

function headersOf(operation: Operation): string[] {
  return (operation.parameters ?? []).filter((parameter) => parameter.in === 'header').map(({ name }) => name);
}

/** All values of members with this name, at any depth. */
function all(node: unknown, member: string): unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => [...(name === member ? [value] : []), ...all(value, member)]);
}

describe.each(routes)('$operationId', (spec) => {
  const operation = operationOf(spec);

  it('tells of every error that it can answer, by its status', () => {
    const statuses = new Set(errorsOf(spec).map((code) => String(ERROR_STATUS[code])));
    expect(new Set(Object.keys(operation.responses))).toEqual(
      new Set([
        ...Object.keys(spec.responses),
        ...statuses,
        ...(spec.operationId === 'runModelTrial' ? ['default'] : []),
      ]),
    );
  });

  it('takes the headers that it honours', () => {
    const headers = headersOf(operation);
    expect(headers.includes('Idempotency-Key')).toBe(spec.idempotent === true || spec.namedByKey === true);
    expect(headers.includes('If-Match')).toBe(honoursIfMatch(spec));
    expect(operation.requestBody !== undefined).toBe(takesBody(spec));
  });

  it('says what the body of each success is', () => {
    for (const [status, schema] of Object.entries(spec.responses)) {
      const content = Object.keys(operation.responses[status]?.content ?? {});
      if (schema === null) expect(content).toEqual([]);
      else expect(content.length).toBeGreaterThan(0);
    }
  });
});

describe('the document', () => {
  it('has an operation for each public route, each under a name of its own', () => {
    const ids = all(document.paths, 'operationId');
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(routes.length + 1);
  });

  it('refers to nothing that it does not hold', () => {
    const find = (ref: string) =>
      ref
        .slice(2)
        .split('/')
        .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], document);
    const refs = new Set(all(document, '$ref') as string[]);
    expect([...refs].filter((ref) => find(ref) === undefined)).toEqual([]);
    const shared = [...Object.keys(find('#/components/responses') as object)];
    expect(shared.filter((name) => !refs.has(`#/components/responses/${name}`))).toEqual([]);
  });

  it('says which files an import takes, and which an export gives', () => {
    const files = (operationId: string) => Object.keys(named(operationId).requestBody!.content);
    expect(files('importExamples')).toEqual(['application/x-ndjson', 'text/csv', 'application/octet-stream']);
    expect(files('importConversations')).toEqual(['application/x-ndjson', 'application/octet-stream']);
    expect(files('createTranscription')).toEqual(['multipart/form-data']);
    expect(files('runModelTrial')).toEqual(['application/json', 'multipart/form-data']);
    expect(Object.keys(named('exportExamples').responses['200']!.content!)).toContain('text/csv');
    expect(Object.keys(named('createChatCompletion').responses['200']!.content!)).toContain('text/event-stream');
  });

  it('tells a number or a switch of a query as what it stands for', () => {
    const schemaOf = (operationId: string, parameter: string) =>
      named(operationId).parameters!.find(({ name }) => name === parameter)!.schema;
    expect(schemaOf('listDatasets', 'limit')).toEqual({ type: 'integer', minimum: 1, maximum: 1000, default: 100 });
    expect(schemaOf('createExamples', 'partial')).toEqual({ type: 'boolean', default: false });
    expect(schemaOf('listFindings', 'lastDetectedAfter')).toMatchObject({ type: 'integer', minimum: 0 });
  });

  it('asks for a body only where there must be one', () => {
    expect(named('createDataset').requestBody!.required).toBe(true);
    expect(named('installEngine').requestBody!.required).toBe(false);
  });
});
