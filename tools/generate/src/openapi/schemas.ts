import { z } from 'zod';
import type { ZodOpenApiOverride } from 'zod-openapi';
import { portablePattern } from './portable-pattern.ts';

type Overridden = Parameters<ZodOpenApiOverride>[0];

/**
 * Describes query and path parameters, which arrive as text, by the number or boolean they stand for. Defaults are
 * shown as a caller would write them.
 */
export const overrideSchema: ZodOpenApiOverride = ({ jsonSchema, zodSchema, io }) => {
  if (io !== 'input') return;
  const { def } = zodSchema._zod;
  if (def.type === 'string' && ignoresCase(def)) delete jsonSchema.pattern;
  if (def.type === 'pipe') overridePipe(jsonSchema, def.out);
  if (def.type === 'default' && jsonSchema.type !== undefined && isPlain(def.defaultValue)) {
    jsonSchema.default = def.defaultValue;
  }
};

function overridePipe(jsonSchema: Overridden['jsonSchema'], out: z.core.$ZodType): void {
  if (out._zod.def.type === 'number') {
    const { type, minimum, maximum } = z.toJSONSchema(out);
    delete jsonSchema.pattern;
    Object.assign(jsonSchema, { type, minimum, maximum });
  } else if (jsonSchema.enum?.join() === 'true,false') {
    delete jsonSchema.enum;
    jsonSchema.type = 'boolean';
  }
}

/**
 * Whether a check ignores case: its pattern is left out, because JSON Schema patterns have no flags and would differ.
 */
function ignoresCase({ checks = [] }: z.core.$ZodTypeDef): boolean {
  return checks.some((check) => {
    const { pattern } = check._zod.def as { pattern?: RegExp };
    return pattern?.ignoreCase === true;
  });
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Replaces every `pattern` by its portable form. */
export function withPortablePatterns<Node>(node: Node): Node {
  if (Array.isArray(node)) return node.map(withPortablePatterns) as Node;
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([name, value]) => [
    name,
    name === 'pattern' && typeof value === 'string' ? portablePattern(value) : withPortablePatterns<unknown>(value),
  ]);
  return Object.fromEntries(entries) as Node;
}
