/** Violation of a tool's declared schema by a call's arguments. */
export interface SchemaBreach {
  readonly kind: 'missing' | 'unknown' | 'type' | 'choice';
  readonly path: string;
  /** Expected value, in words. */
  readonly expected: string;
}

const MAX_DEPTH = 8;
const MAX_BREACHES = 10;
const MAX_ITEMS = 100;

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Checks arguments against the part of JSON Schema that tool definitions use: `type`, `required`, `properties`,
 * `items`, `enum`, `const`, `additionalProperties: false`. Unsupported keywords (`anyOf`, `$ref`, patterns) pass.
 */
export function schemaBreaches(args: unknown, schema: unknown): SchemaBreach[] {
  const breaches: SchemaBreach[] = [];
  check(args, schema, '', 0, breaches);
  return breaches;
}

function check(value: unknown, schema: unknown, path: string, depth: number, breaches: SchemaBreach[]): void {
  if (!isObject(schema) || depth > MAX_DEPTH || breaches.length >= MAX_BREACHES) return;
  if ('$ref' in schema || 'anyOf' in schema || 'oneOf' in schema || 'allOf' in schema || 'not' in schema) return;
  const types = [schema.type].flat().filter((type) => typeof type === 'string');
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    breaches.push({ kind: 'type', path, expected: types.join(' or ') });
    return;
  }
  const choices = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : undefined;
  if (choices !== undefined && isPlain(value) && choices.every(isPlain) && !choices.includes(value)) {
    breaches.push({ kind: 'choice', path, expected: `one of ${choices.slice(0, 8).map(String).join(', ')}` });
  }
  if (isObject(value)) checkObject(value, schema, path, depth, breaches);
  if (Array.isArray(value) && isObject(schema.items)) {
    value.slice(0, MAX_ITEMS).forEach((item, index) => {
      check(item, schema.items, `${path}[${index}]`, depth + 1, breaches);
    });
  }
}

function checkObject(
  value: JsonObject,
  schema: JsonObject,
  path: string,
  depth: number,
  breaches: SchemaBreach[],
): void {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const under = (name: string): string => (path === '' ? name : `${path}.${name}`);
  for (const name of required) {
    if (typeof name === 'string' && !Object.hasOwn(value, name) && breaches.length < MAX_BREACHES) {
      breaches.push({ kind: 'missing', path: under(name), expected: 'a value' });
    }
  }
  for (const [name, item] of Object.entries(value)) {
    if (breaches.length >= MAX_BREACHES) return;
    if (Object.hasOwn(properties, name)) check(item, properties[name], under(name), depth + 1, breaches);
    else if (schema.additionalProperties === false) {
      breaches.push({ kind: 'unknown', path: under(name), expected: 'no such parameter' });
    }
  }
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    default:
      return true;
  }
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
