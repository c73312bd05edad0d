import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import type { RouteSpec } from '@clew/contracts';

interface MediaType {
  schema?: object;
  'x-itemSchema'?: object;
}

export interface ApiOperation {
  operationId: string;
  parameters?: { in: string; name: string; required?: boolean }[];
  requestBody?: { required: boolean; content: Record<string, MediaType> };
  responses: Record<string, { content?: Record<string, MediaType> }>;
}

/** OpenAPI document, as far as the SDK is made from it. */
export interface ApiDocument {
  openapi: string;
  info: object;
  paths: Record<string, Record<string, ApiOperation>>;
  components: { schemas: Record<string, object>; responses?: object; headers?: object };
  webhooks?: object;
}

/** Returns TypeScript types of all schemas, requests and successful answers. */
export async function apiTypes(document: ApiDocument): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-sdk-types-'));
  try {
    await createClient({
      input: succeeding(document) as never,
      output: { path: folder, module: { extension: '.ts' } },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent' },
    });
    const text = await readFile(join(folder, 'types.gen.ts'), 'utf8');
    return text.replace(/^\/\/ This file is auto-generated.*\n/m, '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the document without errors and headers, which the SDK types itself, and with the items of streams. */
function succeeding({ webhooks: _, ...document }: ApiDocument): ApiDocument {
  const { responses: _errors, headers: _headers, ...components } = document.components;
  const schemas = { ...components.schemas };
  const paths = mapOperations(document.paths, (operation) => {
    const item = itemSchemaOf(operation);
    if (item !== undefined) schemas[itemName(operation.operationId)] = item;
    return {
      ...operation,
      parameters: (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header'),
      responses: Object.fromEntries(
        Object.entries(operation.responses)
          .filter(([status]) => /^[23]/.test(status))
          .map(([status, { content, ...response }]) => [status, { ...response, headers: {}, ...jsonOf(content) }]),
      ),
    };
  });
  return { ...document, paths, components: { ...components, schemas } };
}

function jsonOf(content: Record<string, MediaType> | undefined): { content?: Record<string, MediaType> } {
  const json = content?.['application/json'];
  return json === undefined ? {} : { content: { 'application/json': json } };
}

function mapOperations(
  paths: ApiDocument['paths'],
  change: (operation: ApiOperation) => ApiOperation,
): ApiDocument['paths'] {
  return Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, change(operation)])),
    ]),
  );
}

function itemSchemaOf({ responses }: ApiOperation): object | undefined {
  const media = Object.values(responses).flatMap(({ content = {} }) => Object.values(content));
  return media.find((each) => each['x-itemSchema'] !== undefined)?.['x-itemSchema'];
}

function itemName(operationId: string): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Item`;
}

/** Returns the type of one event or line of a stream. */
export function itemTypeOf(document: ApiDocument, { path, method, operationId }: RouteSpec): string {
  const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method];
  return operation === undefined || itemSchemaOf(operation) === undefined ? 'unknown' : `Api.${itemName(operationId)}`;
}
