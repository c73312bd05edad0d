import { z } from 'zod';

/** Values of a query parameter that holds several, with commas between them; each is kept once, in a fixed order. */
export function commaList<const Value extends string>(values: readonly Value[]) {
  return z
    .string()
    .max(1_000)
    .transform((text) => text.split(','))
    .refine((named): named is Value[] => named.every((name) => values.includes(name as Value)), {
      message: `must be one or more of ${values.join(', ')}, with commas between them`,
    })
    .transform((named) => values.filter((value) => named.includes(value)))
    .meta({ description: `One or more of ${values.join(', ')}, with commas between them` });
}

/** Names in a query parameter with commas between them; each is kept once, in a fixed order. */
export function nameList(maxNames: number, maxLength: number) {
  return z
    .string()
    .max(maxNames * (maxLength + 1))
    .transform((text) => [...new Set(text.split(','))].toSorted())
    .refine(
      (names) => names.length <= maxNames && names.every((name) => name.length > 0 && name.length <= maxLength),
      `must be 1 to ${maxNames} names, with commas between them`,
    )
    .meta({ description: `Up to ${maxNames}, with commas between them` });
}
