import path from 'node:path';
import { addressVariable, GATEWAY } from './apps.ts';
import type { AppDefinition } from './apps.ts';
import type { Home } from './home.ts';
import { privateKeyFile, publicKeysFile } from './identity-keys.ts';

/**
 * Memory limits: by default, V8 lets garbage grow with the memory of the machine. These keep each process well below
 * 300 MB, as the limit of a container would.
 */
const BOUNDED_MEMORY = { NODE_OPTIONS: '--max-old-space-size=192 --max-semi-space-size=8', MALLOC_ARENA_MAX: '2' };

/**
 * Options that NODE_OPTIONS does not accept. With such a small young generation, threads that collect it in parallel
 * wait for each other longer than one thread takes, and on few cores they take processor time from the other
 * applications.
 */
export const NODE_ARGUMENTS: readonly string[] = ['--no-parallel-scavenge'];

/** Values from which the environment of every application is made. */
export interface EnvironmentSource {
  home: Home;
  /** The addresses of the servers that are there already: a migration needs the one that it migrates. */
  mongoUrl?: string;
  amqpUrl?: string;
  authSecret: string;
  /** Address of each application that others call. */
  addresses: ReadonlyMap<string, string>;
  /** Address of the gateway, for links and for the sessions of people. */
  publicUrl?: string;
  /** Folder of the built Workbench, which the gateway serves. */
  workbenchDirectory?: string;
  userEnvironment: NodeJS.ProcessEnv;
}

/** Ports that a process listens on. */
export interface Ports {
  port: number;
  operationsPort?: number;
}

/** Ports of a script, which ends by itself and does not listen. */
export const NO_PORTS: Ports = { port: 0 };

/**
 * Environment of one process. The user's settings override the defaults of the stack, except for the ports, which the
 * stack must know.
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
    ...(source.publicUrl === undefined ? {} : { PUBLIC_URL: source.publicUrl }),
    ...(app.name === GATEWAY && source.workbenchDirectory !== undefined
      ? { WORKBENCH_DIR: source.workbenchDirectory }
      : {}),
    LOG_LEVEL: 'info',
    DEPLOYMENT_TARGET: 'server',
    // Allows the loopback providers of samples and tests; otherwise private addresses are refused.
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    // A conversation is analyzed two seconds after its last span, so that a developer need not wait.
    CONVERSATION_QUIET_MS: '2000',
    // Extraction from new messages starts after two seconds, too.
    EXTRACTION_PATIENCE_MS: '2000',
    // An erasure completes after two seconds, too.
    ERASURE_SETTLE_MS: '2000',
    SHUTDOWN_GRACE_MS: '10000',
    ...BOUNDED_MEMORY,
    // Folder of engines and models, which survives a restart.
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

/** Secrets of an application; an undefined value removes the variable, even if the user has set it. */
function secretsOf({ home, authSecret }: EnvironmentSource, { hasDerivedKeys }: AppDefinition): NodeJS.ProcessEnv {
  if (hasDerivedKeys !== true) return { AUTH_SECRET: authSecret };
  return { AGENT_KEYS_FILE: home.agentKeysFile, AUTH_SECRET: undefined, AUTH_SECRET_PREVIOUS: undefined };
}

/** The user's options come last, where they override others; the remaining limits stay in force. */
function nodeOptions({ NODE_OPTIONS: user }: NodeJS.ProcessEnv, { environment }: AppDefinition): string {
  const options = [BOUNDED_MEMORY.NODE_OPTIONS, environment?.['NODE_OPTIONS'], user];
  return options.filter((option) => option !== undefined && option !== '').join(' ');
}

// Many tools set a variable to the empty string to mean "not set".
function nonEmpty(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}
