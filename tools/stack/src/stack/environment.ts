import path from 'node:path';
import { addressVariable } from './apps.ts';
import type { AppDefinition } from './apps.ts';
import type { Home } from './home.ts';
import { privateKeyFile, publicKeysFile } from './identity-keys.ts';

/**
 * Left to itself, V8 lets garbage grow with the memory of the machine. This keeps each process well below 300 MB, as a
 * container's limit would.
 */
const BOUNDED_MEMORY = { NODE_OPTIONS: '--max-old-space-size=192 --max-semi-space-size=8', MALLOC_ARENA_MAX: '2' };

/**
 * What NODE_OPTIONS does not take. Threads that share the collection of so small a young generation wait for one another
 * longer than one of them takes, and on few cores they take the processor from the other applications.
 */
export const NODE_ARGUMENTS: readonly string[] = ['--no-parallel-scavenge'];

/** What the environment of every application is made from. */
export interface EnvironmentSource {
  home: Home;
  mongoUrl: string;
  amqpUrl: string;
  authSecret: string;
  /** The address of each application that others call. */
  addresses: ReadonlyMap<string, string>;
  userEnvironment: NodeJS.ProcessEnv;
}

/** Ports that a process listens on. */
export interface Ports {
  port: number;
  operationsPort?: number;
}

/** A script that ends by itself listens nowhere. */
export const NO_PORTS: Ports = { port: 0 };

/**
 * The environment of one process. What the user has set wins over the stack's defaults, except where it listens,
 * which the stack has to know.
 */
export function appEnvironment(
  source: EnvironmentSource,
  app: AppDefinition,
  { port, operationsPort }: Ports,
): NodeJS.ProcessEnv {
  const addresses = [...source.addresses].map(([name, url]) => [addressVariable(name), url]);
  return {
    MONGO_URL: source.mongoUrl,
    AMQP_URL: source.amqpUrl,
    LOG_LEVEL: 'info',
    DEPLOYMENT_TARGET: 'server',
    // The loopback providers of the samples and tests; elsewhere private addresses are refused.
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    // A conversation is analysed two seconds after its last span, so that a developer need not wait.
    CONVERSATION_QUIET_MS: '2000',
    // Its new words are read as soon.
    EXTRACTION_PATIENCE_MS: '2000',
    // An erasure is over as soon.
    ERASURE_SETTLE_MS: '2000',
    SHUTDOWN_GRACE_MS: '10000',
    ...BOUNDED_MEMORY,
    // Engines and models; what is in it survives a restart.
    MODEL_HOME: path.join(source.home.directory, 'models'),
    IDENTITY_PUBLIC_KEYS_FILE: publicKeysFile(source.home),
    ...(app.signsIdentity ? { IDENTITY_PRIVATE_KEY_FILE: privateKeyFile(source.home, app.name) } : {}),
    ...Object.fromEntries(addresses),
    ...app.environment,
    ...nonEmpty(source.userEnvironment),
    ...secretsOf(source, app),
    NODE_OPTIONS: nodeOptions(source.userEnvironment, app),
    HOST: '127.0.0.1',
    PORT: String(port),
    ...(operationsPort === undefined ? {} : { OPERATIONS_PORT: String(operationsPort) }),
  };
}

/** What is undefined is not in the environment, also where the user has set it. */
function secretsOf({ home, authSecret }: EnvironmentSource, { hasDerivedKeys }: AppDefinition): NodeJS.ProcessEnv {
  if (hasDerivedKeys !== true) return { AUTH_SECRET: authSecret };
  return { AGENT_KEYS_FILE: home.agentKeysFile, AUTH_SECRET: undefined, AUTH_SECRET_PREVIOUS: undefined };
}

/** The user's come last, where they win; what they do not speak of stays bounded. */
function nodeOptions({ NODE_OPTIONS: user }: NodeJS.ProcessEnv, { environment }: AppDefinition): string {
  const options = [BOUNDED_MEMORY.NODE_OPTIONS, environment?.['NODE_OPTIONS'], user];
  return options.filter((option) => option !== undefined && option !== '').join(' ');
}

// An empty variable is how many tools say "not set".
function nonEmpty(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}
