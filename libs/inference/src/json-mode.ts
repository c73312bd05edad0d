import { z } from 'zod';
import type { ModelCapabilities } from '@clew/contracts';

/**
 * Way to make a model answer in JSON: the provider enforces the schema, or enforces some JSON object while the prompt
 * shows the schema, or the prompt only shows it.
 */
export type JsonMode = 'schema' | 'object' | 'prompt';

/** Chooses the best mode of a model; for one that could not be examined, the mode that most models have. */
export function jsonModeOf(capabilities: Pick<ModelCapabilities, 'jsonMode' | 'jsonSchema'> | null): JsonMode {
  if (capabilities === null) return 'object';
  if (capabilities.jsonSchema) return 'schema';
  return capabilities.jsonMode ? 'object' : 'prompt';
}

/** Builds the members of a request that select the mode. */
export function responseFormat(mode: JsonMode, schema: z.ZodType): Record<string, unknown> {
  if (mode === 'prompt') return {};
  if (mode === 'object') return { response_format: { type: 'json_object' } };
  const wire = wireSchemaOf(schema);
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: wire } } };
}

/** JSON schema of an answer; computed once, because that takes longer than the rest of a call. */
export const jsonSchemaOf = oncePerSchema(
  (schema) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>,
);

/** The same without the keywords that providers reject. */
const wireSchemaOf = oncePerSchema((schema) => shapeOf(jsonSchemaOf(schema)));

function oncePerSchema<Result>(compute: (schema: z.ZodType) => Result): (schema: z.ZodType) => Result {
  const known = new WeakMap<z.ZodType, { result: Result }>();
  return (schema) => {
    const entry = known.get(schema) ?? { result: compute(schema) };
    known.set(schema, entry);
    return entry.result;
  };
}

/**
 * Schema keywords that providers reject in strict mode, or turn into huge grammars; the answer is checked against them
 * here.
 */
const BOUNDS = new Set([
  '$schema',
  'default',
  'format',
  'pattern',
  ...['minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
]);

/** Reduces a schema to members, all required, types and choices. Member names are not treated as keywords. */
function shapeOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shapeOf);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !BOUNDS.has(keyword));
  const shape = Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, keyword === 'properties' ? membersOf(value) : shapeOf(value)]),
  );
  // Strict mode takes no optional members: one that may be absent may be null instead.
  const members = shape['properties'];
  return typeof members === 'object' && members !== null ? { ...shape, required: Object.keys(members) } : shape;
}

function membersOf(properties: unknown): unknown {
  const entries = Object.entries((properties ?? {}) as Record<string, unknown>);
  return Object.fromEntries(entries.map(([name, schema]) => [name, shapeOf(schema)]));
}
