import { readJson } from '@clew/kernel';
import type { z } from 'zod';

/** Reads a cursor; undefined for none, and for one that was changed, with which a walk begins again. */
export function readCursor<Schema extends z.ZodType>(
  cursor: string | null,
  schema: Schema,
): z.output<Schema> | undefined {
  if (cursor === null) return undefined;
  try {
    return schema.safeParse(readJson(cursor)).data;
  } catch {
    return undefined;
  }
}
