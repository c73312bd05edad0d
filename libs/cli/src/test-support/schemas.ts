import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** JSON schema, as far as the API description uses it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  minItems?: number;
  format?: string;
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema; 'x-itemSchema'?: Schema }> }>;
}

interface Description {
  paths: Record<string, Record<string, Operation>>;
}

const FILE = join(import.meta.dirname, '../../../../docs/openapi/v1.json');
const description = JSON.parse(readFileSync(FILE, 'utf8')) as Description;

/** Operation that a request calls. */
export interface Found {
  path: string;
  operation: Operation;
}

const patterns = Object.entries(description.paths).map(([path, operations]) => ({
  ...{ path, operations },
  isMatch: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  // A path without parameters counts before one with: `/models/usage` is no model.
  parameterCount: (path.match(/\{/g) ?? []).length,
}));

export function operationOf(method: string, pathname: string): Found | undefined {
  const [found] = patterns
    .filter(({ isMatch, operations }) => isMatch.test(pathname) && operations[method.toLowerCase()] !== undefined)
    .sort((one, other) => one.parameterCount - other.parameterCount);
  const operation = found?.operations[method.toLowerCase()];
  return found === undefined || operation === undefined ? undefined : { path: found.path, operation };
}

function resolved(schema: Schema): Schema {
  let now: Schema = schema;
  while (now.$ref !== undefined) {
    now = now.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], description) as Schema;
  }
  return now;
}

const AT_MS = Date.UTC(2026, 10, 27, 9);

/** Makes a value that a schema allows, always the same. */
export function sampleOf(schema: Schema, name = 'value', depth = 0): unknown {
  const { const: only, enum: values, oneOf, anyOf, allOf, type, properties, items } = resolved(schema);
  if (only !== undefined) return only;
  if (values !== undefined) return values[0];
  const [first] = oneOf ?? anyOf ?? [];
  if (name === 'nextCursor') return null;
  if (name === 'refused') return [];
  if (name === 'selectedProfileId') return 'id_1';
  if (name === 'refusedCount') return 0;
  if (first !== undefined) return sampleOf(first, name, depth);
  if (allOf !== undefined) return Object.assign({}, ...allOf.map((part) => sampleOf(part, name, depth))) as unknown;
  const [kind] = [type].flat();
  if (properties !== undefined || kind === 'object') {
    const entries = Object.entries(properties ?? {}).filter(() => depth < 8);
    return Object.fromEntries(entries.map(([key, part]) => [key, sampleOf(part, key, depth + 1)]));
  }
  if (kind === 'array') return depth < 8 && items !== undefined ? [sampleOf(items, name, depth + 1)] : [];
  if (kind === 'boolean') return true;
  if (kind === 'integer') return /(?:At|Ms|at|until|since|From|Until)$/.test(name) ? AT_MS : 3;
  if (kind === 'number') return 0.5;
  if (kind === 'string') return /id$/i.test(name) ? `${name}_1` : `${name} one`;
  return {};
}

/** Returns the ways in which a value does not fit a schema. */
export function problemsOf(schema: Schema, value: unknown, path = ''): string[] {
  const { const: only, enum: values, oneOf, anyOf, type, properties = {}, required = [], ...rest } = resolved(schema);
  const alternatives = oneOf ?? anyOf;
  if (alternatives !== undefined) {
    const each = alternatives.map((one) => problemsOf(one, value, path));
    return each.some((problems) => problems.length === 0) ? [] : [`${path}: fits none: ${each.flat().join('; ')}`];
  }
  if (only !== undefined && only !== value) return [`${path}: is not ${String(only)}`];
  if (values !== undefined && !values.includes(value)) return [`${path}: is none of ${values.join(', ')}`];
  const kinds = [type ?? []].flat();
  if (kinds.length > 0 && !kinds.some((kind) => isOfKind(kind, value))) return [`${path}: is not ${kinds.join(', ')}`];
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => (rest.items === undefined ? [] : problemsOf(rest.items, item, `${path}/${at}`)));
  }
  if (typeof value !== 'object' || value === null) return [];
  const given = value as Record<string, unknown>;
  const unknown = rest.additionalProperties === false ? Object.keys(given).filter((key) => !(key in properties)) : [];
  return [
    ...required.filter((key) => given[key] === undefined).map((key) => `${path}/${key}: is missing`),
    ...unknown.map((key) => `${path}/${key}: is unknown`),
    ...Object.entries(properties).flatMap(([key, part]) =>
      given[key] === undefined ? [] : problemsOf(part, given[key], `${path}/${key}`),
    ),
  ];
}

function isOfKind(kind: string, value: unknown): boolean {
  if (kind === 'null') return value === null;
  if (kind === 'array') return Array.isArray(value);
  if (kind === 'integer') return Number.isInteger(value);
  return kind === 'object'
    ? typeof value === 'object' && value !== null && !Array.isArray(value)
    : typeof value === kind;
}
