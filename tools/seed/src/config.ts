import { z } from 'zod';

const Config = z.object({
  /** Where the samples are sent: the root address of the gateway. */
  CLEW_GATEWAY_URL: z.url({ protocol: /^https?$/ }),
  /** A key with the scope `telemetry:write` for one project. */
  CLEW_API_KEY: z.string().min(1),
});
export type Config = z.infer<typeof Config>;

/** Reads the configuration; throws an error that names each variable that is missing or wrong. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const parsed = Config.safeParse(env);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The configuration is not complete:\n${problems.join('\n')}`);
}
