import { z } from 'zod';

const Config = z.object({
  /** Root address of the gateway that receives the samples. */
  CLEW_GATEWAY_URL: z.url({ protocol: /^https?$/ }),
  /** Key with the scope `telemetry:write` for one project. */
  CLEW_API_KEY: z.string().min(1),
});
export type Config = z.infer<typeof Config>;

const LocalModelsConfig = Config.extend({
  /** Project that gets the models; the key has the scope `models:manage` in it. */
  CLEW_PROJECT_ID: z.string().min(1),
});

/** Reads the configuration; throws an error that names each missing or invalid variable. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return readAs(Config, env);
}

/** Reads the configuration of the command that brings up local models. */
export function readLocalModelsConfig(env: NodeJS.ProcessEnv): z.infer<typeof LocalModelsConfig> {
  return readAs(LocalModelsConfig, env);
}

function readAs<Schema extends z.ZodType>(schema: Schema, env: NodeJS.ProcessEnv): z.infer<Schema> {
  const parsed = schema.safeParse(env);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The configuration is not complete:\n${problems.join('\n')}`);
}
