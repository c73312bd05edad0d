import { readFileSync } from 'node:fs';
import fc from 'fast-check';

/** JSON Schema, as far as the API's document uses it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  minProperties?: number;
  items?: Schema;
  prefixItems?: Schema[];
  minItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  default?: unknown;
}

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  schema: Schema;
}

interface MediaType {
  schema?: Schema;
  'x-itemSchema'?: Schema;
}

export interface DocumentedOperation {
  operationId: string;
  'x-sdk'?: string;
  method: string;
  /** Path with `{name}` where its parameters go. */
  path: string;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, MediaType> };
  responses: Record<string, { $ref?: string; content?: Record<string, MediaType> }>;
}

interface ApiDocument {
  paths: Record<
    string,
    Record<string, Omit<DocumentedOperation, 'method' | 'path' | 'parameters'> & { parameters?: Parameter[] }>
  >;
  components: { schemas: Record<string, Schema>; responses: Record<string, { content: Record<string, MediaType> }> };
}

const FILE = new URL('../../../../docs/openapi/v1.json', import.meta.url);
export const document = JSON.parse(readFileSync(FILE, 'utf8')) as ApiDocument;

export function documentedOperations(): DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], ...operation }]) => ({
      ...operation,
      method,
      path,
      parameters,
    })),
  );
}

/** Makes a value that a schema describes, with only what must be there. */
export function sampleOf(schema: Schema | undefined): unknown {
  if (schema === undefined) return {};
  if (schema.$ref !== undefined) return sampleOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? '']);
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first !== undefined) return merged(sampleOf(first), ofType(schema));
  if (schema.allOf !== undefined) return schema.allOf.map(sampleOf).reduce(merged, ofType(schema));
  return ofType(schema);
}

function merged(value: unknown, more: unknown): unknown {
  const isObject = (each: unknown) => typeof each === 'object' && each !== null && !Array.isArray(each);
  return isObject(value) && isObject(more) ? { ...(value as object), ...(more as object) } : (value ?? more);
}

function ofType(schema: Schema): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') return objectOf(schema);
  if (type === 'array')
    return Array.from({ length: schema.minItems ?? 0 }, (_, at) => sampleOf(schema.prefixItems?.[at] ?? schema.items));
  if (type === 'string') return textOf(schema);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (type === 'integer' || type === 'number')
    return Math.max(schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1, 1);
  return undefined;
}

function objectOf({ properties = {}, required = [], minProperties = 0, additionalProperties }: Schema): object {
  const names = [...required, ...Object.keys(properties).filter((name) => !required.includes(name))];
  const present = names.slice(0, Math.max(required.length, minProperties));
  // Anything is a value of a schema that says nothing.
  const valueOf = (value: unknown) => (value === undefined ? 'x' : value);
  const value = Object.fromEntries(present.map((name) => [name, valueOf(sampleOf(properties[name]))]));
  const isFree = present.length < minProperties && typeof additionalProperties === 'object';
  return isFree ? { ...value, key: sampleOf(additionalProperties) } : value;
}

const texts = new Map<string, string>();

function textOf({ pattern, minLength = 1, maxLength = Infinity }: Schema): string {
  if (pattern === undefined) return 'x'.repeat(Math.max(1, minLength));
  const key = `${pattern} ${minLength} ${maxLength}`;
  const found = texts.get(key) ?? textLike(pattern, (text) => text.length >= minLength && text.length <= maxLength);
  texts.set(key, found);
  return found;
}

function textLike(pattern: string, fits: (text: string) => boolean): string {
  const matching = fc.stringMatching(new RegExp(pattern, 'u'), { size: '-1' });
  const [text = ''] = fc.sample(
    matching.filter((each) => fits(each) && each.trim() === each),
    { numRuns: 1, seed: 1 },
  );
  return text;
}
