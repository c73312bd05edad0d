import { z } from 'zod';
import { processVariables } from '@clew/runtime';

/** Configuration of the supervisor of engines; it contains no secret. */
export const EnginesConfig = z.object({
  LOG_LEVEL: processVariables.LOG_LEVEL,
  ENGINE_SOCKET: z.string(),
  MODEL_HOME: z.string(),
  MODEL_PYTHON: z.string().optional(),
});
