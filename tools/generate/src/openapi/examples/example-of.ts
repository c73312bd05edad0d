import { FALSE_SWITCHES, isOfTroubleOrLater, knownText } from './known-texts.ts';

/** Part of JSON Schema from which examples are made. */
export interface ExampleSchema {
  $ref?: string;
  /** Example that the contract gives; it counts more than everything else. */
  example?: unknown;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  anyOf?: readonly ExampleSchema[];
  oneOf?: readonly ExampleSchema[];
  properties?: Readonly<Record<string, ExampleSchema>>;
  required?: readonly string[];
  items?: ExampleSchema;
  minItems?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
}

/** Makes an example of a schema; `name` is that of the member that holds the value. */
export type ExampleOf = (schema: ExampleSchema, name: string) => unknown;

/**
 * Makes examples as short as they can be: of the members of an object those that are always there (or one, if none is),
 * of a list one entry, of alternatives the first one, and null for what may be null and is an object, tells of trouble,
 * or is yet to come.
 */
export function createExampleOf(schemas: Readonly<Record<string, ExampleSchema>>): ExampleOf {
  /** References that are being followed: a schema that contains itself ends at an empty list. */
  const followed = new Set<string>();

  function exampleOf(schema: ExampleSchema, name: string): unknown {
    if (schema.example !== undefined) return schema.example;
    if (schema.$ref !== undefined) return ofReference(schema.$ref, name);
    if ('const' in schema) return schema.const;
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives !== undefined) return ofAlternatives(alternatives, name);
    const [value] = schema.enum ?? [];
    if (value !== undefined) return schema.default ?? value;
    return ofType(schema, name);
  }

  function ofReference(ref: string, name: string): unknown {
    const id = ref.slice(ref.lastIndexOf('/') + 1);
    const schema = schemas[id];
    if (schema === undefined) throw new Error(`There is no schema ${ref}`);
    if (followed.has(ref)) throw new Error(`${ref} contains itself, and needs an example`);
    followed.add(ref);
    try {
      return exampleOf(schema, name === '' || isObject(schema) ? uncapitalised(id.replace(/^New/, '')) : name);
    } finally {
      followed.delete(ref);
    }
  }

  function ofAlternatives(alternatives: readonly ExampleSchema[], name: string): unknown {
    const [first, ...others] = alternatives.filter(({ type }) => type !== 'null');
    const mayBeNull = others.length + 1 < alternatives.length;
    if (first === undefined || (mayBeNull && (isObject(first) || isNothingYet(first, name)))) return null;
    return exampleOf(first, name);
  }

  function isObject({ $ref, type }: ExampleSchema): boolean {
    if ($ref !== undefined) return isObject(schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {});
    return type === 'object';
  }

  function ofType(schema: ExampleSchema, name: string): unknown {
    if (schema.type === undefined) return {};
    const types = [schema.type].flat();
    const type = types.find((each) => each !== 'null');
    if (type === undefined || (types.includes('null') && isNothingYet({ ...schema, type }, name))) return null;
    switch (type) {
      case 'object':
        return ofMembers(schema, name);
      case 'array':
        return [exampleOf(schema.items ?? {}, singular(name))];
      case 'string':
        return ofText(schema, name);
      case 'boolean':
        return schema.default ?? !FALSE_SWITCHES.includes(name);
      case 'integer':
        return schema.default ?? Math.max(1, schema.minimum ?? 1);
      case 'number':
        return schema.default ?? Math.max(schema.maximum === 1 ? 0.9 : 1, schema.minimum ?? 0);
      default:
        throw new Error(`${type} is no type of JSON Schema`);
    }
  }

  function ofMembers({ properties = {}, required = [] }: ExampleSchema, name: string): Record<string, unknown> {
    const names = Object.keys(properties);
    const told = required.length === 0 ? names.slice(0, 1) : names.filter((each) => required.includes(each));
    return Object.fromEntries(told.map((each) => [each, exampleOf(properties[each] ?? {}, nameWithin(name, each))]));
  }

  return exampleOf;
}

/** Name by which a member is known: its own, or with that of the thing for its id and its name. */
function nameWithin(thing: string, member: string): string {
  return thing !== '' && ['id', 'name'].includes(member) ? `${thing}.${member}` : member;
}

function isNothingYet({ type, enum: values, pattern, format, example }: ExampleSchema, name: string): boolean {
  if (isOfTroubleOrLater(name)) return true;
  const isText = type === 'string' && values === undefined && example === undefined;
  return isText && knownText(name, pattern, format) === undefined;
}

function ofText({ pattern, format, minLength = 0, ...schema }: ExampleSchema, name: string): string {
  if (typeof schema.default === 'string') return schema.default;
  const text = knownText(name, pattern, format);
  if (text === undefined)
    throw new Error(`No text is known for ${name}: the contract, or known-texts.ts, has to name one`);
  if (text.length < minLength) throw new Error(`"${text}" is too short for ${name}`);
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text))
    throw new Error(`"${text}" is no ${name}, which needs an example: ${pattern}`);
  return text;
}

/** Name of one of several things. */
export function singular(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  return name.endsWith('s') ? name.slice(0, -1) : name;
}

function uncapitalised(name: string): string {
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
}
