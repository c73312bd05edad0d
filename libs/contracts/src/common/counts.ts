import { z } from 'zod';

/** Number up to which lists are counted exactly. */
export const MAX_COUNTED = 10_000;

/** Count of what a list holds. */
export const Count = z
  .object({
    count: z.int().min(0),
    atLeast: z.boolean().meta({ description: 'There are, or may be, more: it was counted no further' }),
  })
  .meta({ id: 'Count' });
export type Count = z.infer<typeof Count>;

/** Values of a query parameter, separated by commas; each at most once. */
export function commaList<const Value extends string>(values: readonly [Value, ...Value[]]) {
  return z
    .string()
    .max(1_000)
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(values)).refine((all) => new Set(all).size === all.length, 'must not name a value twice'));
}

/** Schema of counts by field, each by its values. */
export function countsBy<const Field extends string>(fields: readonly [Field, ...Field[]], value: z.ZodType<string>) {
  const counted = z.array(Count.extend({ value }));
  return z.object(Object.fromEntries(fields.map((field) => [field, counted.optional()])) as CountsByShape<Field>);
}

type CountsByShape<Field extends string> = Record<
  Field,
  z.ZodOptional<z.ZodArray<z.ZodObject<{ count: z.ZodInt; atLeast: z.ZodBoolean; value: z.ZodType<string> }>>>
>;
