import { z } from 'zod';

/** Abilities of the model that a command names, as its owner knows them. */
export const AskedModelCapabilities = z
  .object({ jsonMode: z.boolean(), jsonSchema: z.boolean(), contextLength: z.int().min(1).nullable() })
  .nullable()
  .meta({ description: 'null: the model could not be looked at' });
