import { breaksOfLimits, type Limits } from './limit-breaks.ts';

/** Part of JSON Schema that the description of the API uses, as far as it decides which values are valid. */
export interface Schema extends Limits {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
}

/** Writer of the value: a caller, whose accepted values must stay valid, or the API, whose members callers rely on. */
export type Side = 'request' | 'response';

export interface SchemaPair {
  side: Side;
  released: Schema;
  current: Schema;
  /** Place named in the messages, such as `body.messages[].role`. */
  place: string;
}

export type Resolve = (ref: string) => unknown;

/** Keywords that affect validity but that this check does not support. */
const UNREAD = ['allOf', 'not', 'if', 'prefixItems', 'patternProperties', 'dependentSchemas'];

/** Compares schemas of two descriptions; each side resolves its own references. */
export function createSchemaBreaks(resolveReleased: Resolve, resolveCurrent: Resolve) {
  /** Pairs under comparison: recursion in a schema ends at these. */
  const underWay = new Map<Schema, Set<Schema>>();

  function breaksOf(pair: SchemaPair): string[] {
    const others = underWay.get(pair.released) ?? new Set();
    underWay.set(pair.released, others);
    if (others.has(pair.current)) return [];
    others.add(pair.current);
    const breaks = breaksOfAlternatives(pair);
    others.delete(pair.current);
    return breaks;
  }

  function breaksOfAlternatives({ side, released, current, place }: SchemaPair): string[] {
    const [before, after] = [alternativesOf(released, resolveReleased), alternativesOf(current, resolveCurrent)];
    const unread = [...before, ...after].flatMap((each) => UNREAD.filter((keyword) => keyword in each));
    if (unread.length > 0) return [`${place}: this check cannot read "${unread[0]}"`];
    const [kinds, kindsNow] = [new Set(before.map(kindOf)), new Set(after.map(kindOf))];
    const added = [...kindsNow].filter((kind) => !kinds.has(kind) && !kinds.has(ANY));
    const breaks = [...kinds].filter((kind) => !kindsNow.has(kind) && !kindsNow.has(ANY)).map(wasAnd(place, kindsNow));
    if (breaks.length > 0) return breaks;
    if (side === 'response' && added.length > 0) return [`${place}: may be ${added.join(' or ')} now`];
    return before.flatMap((one) => {
      const candidates = after.filter((other) => kindOf(other) === kindOf(one) || kindOf(other) === ANY);
      const found = candidates.map((other) => breaksOfOne({ side, released: one, current: other, place }));
      return found.reduce((least, other) => (other.length < least.length ? other : least));
    });
  }

  function breaksOfOne(pair: SchemaPair): string[] {
    const { side, released, current, place } = pair;
    if (kindOf(current) === ANY) return [];
    // Answers may have any bounds.
    const limits = side === 'request' ? breaksOfLimits(pair) : [];
    const breaks = [...breaksOfValues(pair), ...limits, ...breaksOfMembers(pair)];
    if (released.items !== undefined || current.items !== undefined) {
      const [items, itemsNow] = [released.items ?? ANYTHING, current.items ?? ANYTHING];
      breaks.push(...breaksOf({ side, released: items, current: itemsNow, place: `${place}[]` }));
    }
    return breaks;
  }

  function breaksOfMembers({ side, released, current, place }: SchemaPair): string[] {
    const { properties = {}, required = [], additionalProperties: others = true } = released;
    const { properties: propertiesNow = {}, required: requiredNow = [] } = current;
    const othersNow = current.additionalProperties ?? true;
    const breaks = Object.entries(properties).flatMap(([name, member]) => {
      const memberNow = propertiesNow[name];
      if (memberNow === undefined) return [`${place}.${name}: is gone`];
      return breaksOf({ side, released: member, current: memberNow, place: `${place}.${name}` });
    });
    const [fewer, more] = side === 'request' ? [required, requiredNow] : [requiredNow, required];
    const word = side === 'request' ? 'is required now' : 'may be absent now';
    const turned = more.filter((name) => !fewer.includes(name) && (side === 'request' || name in propertiesNow));
    breaks.push(...turned.map((name) => `${place}.${name}: ${word}`));
    if (typeof others === 'object' && typeof othersNow === 'object') {
      breaks.push(...breaksOf({ side, released: others, current: othersNow, place: `${place}.*` }));
    } else if (side === 'request' && others !== false && othersNow === false) {
      breaks.push(`${place}: takes no members of other names now`);
    }
    return breaks;
  }

  return breaksOf;
}

/** Kind of a schema that names no type. */
const ANY = 'any value';
const ANYTHING: Schema = {};

function alternativesOf(schema: Schema, resolve: Resolve): Schema[] {
  if (schema.$ref !== undefined) return alternativesOf(resolve(schema.$ref) as Schema, resolve);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.flatMap((choice) => alternativesOf(choice, resolve));
  if (Array.isArray(schema.type)) return schema.type.map((type: string) => ({ ...schema, type }));
  return [schema];
}

function kindOf({ type, const: value, enum: values }: Schema): string {
  if (typeof type === 'string') return type;
  const [sample] = values ?? (value === undefined ? [] : [value]);
  if (sample === undefined) return ANY;
  return sample === null ? 'null' : typeof sample;
}

function wasAnd(place: string, kindsNow: ReadonlySet<string>) {
  return (kind: string) => `${place}: was ${kind}, is ${[...kindsNow].join(' or ')}`;
}

function valuesOf(schema: Schema): readonly unknown[] | undefined {
  if (schema.enum !== undefined) return schema.enum;
  return 'const' in schema ? [schema.const] : undefined;
}

/**
 * Checks enumerations: callers may still send all old values; in answers, values may be added, but not all replaced.
 */
function breaksOfValues({ side, released, current, place }: SchemaPair): string[] {
  const [values, valuesNow] = [valuesOf(released), valuesOf(current)];
  if (valuesNow === undefined) return [];
  if (values === undefined) return side === 'request' ? [`${place}: takes only ${listed(valuesNow)} now`] : [];
  const gone = values.filter((value) => !valuesNow.includes(value));
  const isBroken = side === 'request' ? gone.length > 0 : gone.length === values.length;
  return isBroken ? [`${place}: no longer ${listed(gone)}`] : [];
}

function listed(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}
