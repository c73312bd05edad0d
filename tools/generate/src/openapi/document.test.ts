import { describe, expect, it } from '@jest/globals';
import { ERROR_STATUS } from '@clew/kernel';
import { errorsOf, honoursIfMatch, takesBody, type RouteSpec } from '@clew/contracts';
import { publicRoutes } from '@clew/contracts/all-routes';
import type { z } from 'zod';
import { openApiDocument } from './document.ts';

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  parameters?: { in: string; name: string; required?: boolean; schema: Record<string, unknown> }[];
  requestBody?: { required: boolean; content: Record<string, unknown> };
  responses: Record<string, { $ref?: string; headers?: object; content?: Record<string, Content> }>;
  'x-error-codes': Record<string, string[]>;
}

interface Content {
  schema?: unknown;
  'x-itemSchema'?: unknown;
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

  it('says in a sentence of its own what it does, beyond its summary', () => {
    expect(spec.summary.length).toBeGreaterThan(5);
    expect(spec.description?.length ?? 0).toBeGreaterThan(5);
    expect(operation).toMatchObject({ summary: spec.summary, description: expect.stringContaining(spec.description!) });
  });

  it('names the codes of its errors, as its answers spell them', () => {
    const spelled = errorsOf(spec).map((code) => (spec.errorFormat === 'openai' ? code.toLowerCase() : code));
    const named = Object.values(operation['x-error-codes']).flat();
    expect(named.toSorted()).toEqual([...new Set(spelled)].toSorted());
    for (const status of Object.keys(operation['x-error-codes'])) expect(operation.responses).toHaveProperty([status]);
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

  it('says what one event or line of a stream is, unless another server writes it', () => {
    const items = Object.values(document.paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ operationId, responses }) =>
        Object.entries(responses['200']?.content ?? {})
          .filter(([mediaType]) => ['text/event-stream', 'application/jsonl'].includes(mediaType))
          .map(([type, content]) => [operationId, content['x-itemSchema'], content.schema, type] as const),
      );
    const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const described = items.filter(([, item]) => item !== undefined);
    expect(Object.fromEntries(described.map(([operationId, item]) => [operationId, item]))).toEqual({
      createChatCompletion: schema('ChatCompletionChunk'),
      createCompletion: schema('CompletionChunk'),
      exportAudit: schema('AuditRecord'),
      exportExamples: schema('ExportedExample'),
      exportItems: schema('KnowledgeItem'),
      getModelActivity: schema('RuntimeActivity'),
      listenToChanges: schema('ChangeEvent'),
    });
    for (const [, , text, type] of described) {
      if (type === 'text/event-stream') expect(text).toBeUndefined();
      else expect(text).toMatchObject({ type: 'string' });
    }
    const ofOthers = items.filter(([, item]) => item === undefined).map(([operationId]) => operationId);
    expect(ofOthers.toSorted()).toEqual(['createEmbeddings', 'createTranscription', 'runModelTrial']);
  });

  it('tells a number or a switch of a query as what it stands for', () => {
    const schemaOf = (operationId: string, parameter: string) =>
      named(operationId).parameters!.find(({ name }) => name === parameter)!.schema;
    expect(schemaOf('listDatasets', 'limit')).toEqual({ type: 'integer', minimum: 1, maximum: 1000, default: 100 });
    expect(schemaOf('createExamples', 'partial')).toEqual({ type: 'boolean', default: false });
    expect(schemaOf('listFindings', 'lastDetectedAfter')).toMatchObject({ type: 'integer', minimum: 0 });
    for (const [operationId, parameter] of [
      ['listFindings', 'minDiagnosticScore'],
      ['countItems', 'minConfidence'],
      ['listItems', 'maxConfidence'],
    ] as const) {
      expect(schemaOf(operationId, parameter)).toMatchObject({ type: 'number', minimum: 0, maximum: 1 });
    }
  });

  it('tells no number of a query as a text', () => {
    const texts = routes.flatMap(({ operationId, query }) =>
      (named(operationId).parameters ?? [])
        .filter((parameter) => parameter.in === 'query' && parameter.schema['type'] === 'string')
        .filter(({ name }) => {
          const parameter = (query as z.ZodObject).shape[name] as z.ZodType;
          return typeof parameter.safeParse('1').data === 'number';
        })
        .map(({ name }) => `${operationId} ${name}`),
    );
    expect(texts).toEqual([]);
  });

  it('asks for a body only where there must be one', () => {
    expect(named('createDataset').requestBody!.required).toBe(true);
    expect(named('installEngine').requestBody!.required).toBe(false);
  });
});
