import { z } from 'zod';
import { processVariables } from '@clew/runtime';

/** What the supervisor of engines reads: no secret is among it. */
export const EnginesConfig = z.object({
  LOG_LEVEL: processVariables.LOG_LEVEL,
  ENGINE_SOCKET: z.string(),
  MODEL_HOME: z.string(),
  MODEL_PYTHON: z.string().optional(),
});
