import { z } from 'zod';
import { MIN_AUTH_SECRET_BYTES } from '@clew/kernel';

/**
 * Signals that the environment of a process does not fit its schema; the message names each variable, never a value.
 */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Parses the environment by a schema; an empty variable counts as absent. */
export function loadConfig<Schema extends z.ZodType>(
  schema: Schema,
  env: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = schema.safeParse(present);
  if (result.success) return result.data;
  throw new ConfigError(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
}

const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** Integer variable within limits. */
export function integerVariable(min: number, max: number, defaultValue: number) {
  return integer(min, max).default(defaultValue);
}

/** Boolean variable: `true` or `false`. */
export function booleanVariable(defaultValue: boolean) {
  return z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .default(defaultValue);
}

/** Variables that every process reads. */
export const processVariables = {
  /** The address to listen on; containers need all interfaces, the development stack sets loopback. */
  HOST: z.string().default('0.0.0.0'),
  /** The port to listen on; 0 takes any that is free. */
  PORT: integer(0, 65_535).default(8080),
  /** Log level: this level and those above it are logged. */
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** `edge` has no Model Runtime. */
  DEPLOYMENT_TARGET: z.enum(['server', 'edge']).default('server'),
  /** Time that a stopping process may take to end; by default, as long as its longest call or job needs. */
  SHUTDOWN_GRACE_MS: integer(0, 600_000).optional(),
  /** Maximum heartbeat age: a background task without a heartbeat for this long is stuck, and liveness fails. */
  MAX_HEARTBEAT_AGE_MS: integerVariable(1_000, 3_600_000, 300_000),
} as const;

export const mongoVariables = {
  /** A replica set: transactions need one. */
  MONGO_URL: z.string().regex(/^mongodb(\+srv)?:\/\//, 'must be a mongodb:// URL'),
  /** Connections of one process to each server. */
  MONGO_MAX_POOL_SIZE: integerVariable(1, 1_000, 20),
} as const;

/** Variables of the `migrate` command of an app. */
export const migrationVariables = {
  /** How long a migration waits for its server; then it ends with 1. */
  MIGRATION_WAIT_MS: integerVariable(0, 86_400_000, 600_000),
} as const;

export const brokerVariables = {
  /** RabbitMQ, `amqp://` or `amqps://`. */
  AMQP_URL: z.string().regex(/^amqps?:\/\//, 'must be an amqp:// URL'),
} as const;

export const secretVariables = {
  /**
   * Encrypts stored credentials, peppers API keys, authenticates cursors: the same for all processes. A restore needs
   * the original value.
   */
  AUTH_SECRET: z.string().refine((secret) => Buffer.byteLength(secret) >= MIN_AUTH_SECRET_BYTES, {
    message: `must have at least ${MIN_AUTH_SECRET_BYTES} bytes`,
  }),
} as const;

/** Variables of processes that read stored credentials. */
export const credentialVariables = {
  ...secretVariables,
  /** The value before a rotation, until `npm run clew -- secrets rewrap` has wrapped the stored credentials anew. */
  AUTH_SECRET_PREVIOUS: secretVariables.AUTH_SECRET.optional(),
} as const;

/** Variables of processes that accept the gateway's (or a service's) identity token. */
export const identityVerifierVariables = {
  /** A JWKS file with the public key of every signing process; `kid` is the process name. */
  IDENTITY_PUBLIC_KEYS_FILE: z.string(),
} as const;

/** Variables of processes that speak for a caller or for themselves. */
export const identitySignerVariables = {
  /** This process's own P-256 key, PKCS8 PEM. */
  IDENTITY_PRIVATE_KEY_FILE: z.string(),
} as const;
