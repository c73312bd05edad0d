import { dirname } from 'node:path';
import { addressVariable, CALLED_SERVICES, SERVICE_NAMES, serviceDefinition } from '@clew/contracts/services';
import { terminationSecondsOf } from '@clew/contracts/shutdown';
import { databaseOf } from '../access/databases.ts';
import { NODE } from '../access/nodes.ts';
import { KEYS_FOLDER, PORT, USER } from './pod.ts';
import { AGENT_KEYS_FILE, ENGINE_ENVIRONMENT, ENGINE_SOCKET, ENGINE_USER, MODELS_VOLUME } from './runtime-agent.ts';
import type { Workload } from './workload.ts';
import { MIGRATED, WORKLOADS } from './workloads.ts';

const AGENT = 'model-runtime-agent';
const ENGINES = 'model-runtime-engines';
/** The agent, and the service that calls its engines. */
const REACH_ENGINES: readonly string[] = [AGENT, 'model-runtime-svc'];
/** Settings that differ from those of a pod, whose containers share one address. */
const OWN_ENVIRONMENT: Readonly<Partial<Record<string, Readonly<Record<string, string>>>>> = {
  [AGENT]: { MODEL_NODE: NODE, MODEL_REACH_HOST: ENGINES },
};

const AUTH_SECRET = '${AUTH_SECRET:?at least 32 bytes, and keep it}';
const IDENTITY_VOLUMES = [...SERVICE_NAMES.filter((name) => serviceDefinition(name).signsIdentity), 'public'];
const VOLUMES = ['mongo', 'rabbitmq', 'agent-keys', 'models', 'run'];
const RUN_VOLUME = `run:${dirname(ENGINE_SOCKET)}`;

const INITIATE = [
  "try { rs.status() } catch { rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongo:27017' }] }) }",
  'if (!db.hello().isWritablePrimary) quit(1)',
].join('; ');

const HEALTHY = { condition: 'service_healthy' } as const;
const ENDED = { condition: 'service_completed_successfully' } as const;

/** Compose file for one machine with Docker, including the servers: to try Clew out. */
export function composeFile(): object {
  return {
    name: 'clew',
    services: {
      ...servers(),
      identity: keyMaker({
        command: ['identity-keys', KEYS_FOLDER, '--owner', String(USER), '--separate'],
        volumes: IDENTITY_VOLUMES.map((name) => `identity-${name}:${KEYS_FOLDER}/${name}`),
      }),
      'agent-keys': keyMaker({
        command: ['agent-keys', AGENT_KEYS_FILE, '--owner', String(USER)],
        environment: { AUTH_SECRET },
        volumes: [`agent-keys:${dirname(AGENT_KEYS_FILE)}`],
      }),
      ...Object.fromEntries(MIGRATED.map((name) => [`migrate-${name}`, migration(name)])),
      ...Object.fromEntries(WORKLOADS.map((workload) => [workload.name, app(workload)])),
      [ENGINES]: engines(),
    },
    networks: { default: {}, engines: {} },
    volumes: Object.fromEntries(
      [...IDENTITY_VOLUMES.map((name) => `identity-${name}`), ...VOLUMES].map((name) => [name, {}]),
    ),
  };
}

/** Writes keys into volumes, which belong to root until this has run. */
function keyMaker({ command, ...rest }: { command: readonly string[]; environment?: object; volumes: string[] }) {
  return {
    ...built('cli'),
    user: '0:0',
    cap_add: ['CHOWN'],
    command: ['node', 'app/dist/main.js', ...command],
    network_mode: 'none',
    ...rest,
  };
}

function servers(): object {
  const often = { interval: '3s', retries: 40 };
  return {
    mongo: {
      image: 'mongo:8.0',
      command: ['mongod', '--replSet', 'rs0', '--bind_ip_all'],
      volumes: ['mongo:/data/db'],
      healthcheck: { test: ['CMD', 'mongosh', '--quiet', '--eval', INITIATE], ...often },
    },
    rabbitmq: {
      image: 'rabbitmq:4.1-management',
      hostname: 'rabbitmq',
      environment: { RABBITMQ_DEFAULT_USER: 'clew', RABBITMQ_DEFAULT_PASS: 'clew' },
      volumes: ['rabbitmq:/var/lib/rabbitmq'],
      healthcheck: { test: ['CMD', 'rabbitmq-diagnostics', '-q', 'check_port_connectivity'], ...often },
    },
  };
}

function built(app: string) {
  const target = app === AGENT ? 'agent' : 'service';
  return {
    image: `clew/${app}:\${CLEW_VERSION:-0.1.0}`,
    build: { context: '../..', dockerfile: 'deploy/docker/Dockerfile', target, args: { APP: app } },
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  };
}

const SERVER_ADDRESSES = {
  MONGO_URL: 'mongodb://mongo:27017/?replicaSet=rs0',
  AMQP_URL: 'amqp://clew:clew@rabbitmq:5672',
};

function migration(name: string): object {
  return {
    ...built(name),
    command: ['node', 'app/dist/migrate.js'],
    environment: SERVER_ADDRESSES,
    depends_on: { mongo: HEALTHY, rabbitmq: HEALTHY },
  };
}

function app({ name, command, environment, volume }: Workload): object {
  const { signsIdentity, hasDerivedKeys } = serviceDefinition(name);
  const addresses = CALLED_SERVICES.map((called) => [addressVariable(called), `http://${called}:${PORT}`]);
  const needed = [...MIGRATED.map((app) => [`migrate-${app}`, ENDED]), ['identity', ENDED], ['agent-keys', ENDED]];
  return {
    ...built(name),
    command: [...command],
    environment: {
      ...SERVER_ADDRESSES,
      ...(databaseOf(name) === undefined || hasDerivedKeys === true ? {} : { AUTH_SECRET }),
      IDENTITY_PUBLIC_KEYS_FILE: `${KEYS_FOLDER}/public/public-keys.json`,
      ...(signsIdentity ? { IDENTITY_PRIVATE_KEY_FILE: `${KEYS_FOLDER}/own/private.pem` } : {}),
      ...Object.fromEntries(addresses),
      ...environment,
      ...OWN_ENVIRONMENT[name],
    },
    restart: 'unless-stopped',
    stop_grace_period: `${terminationSecondsOf(name)}s`,
    tmpfs: ['/tmp'],
    ...(REACH_ENGINES.includes(name) ? { networks: ['default', 'engines'] } : {}),
    volumes: [
      // Each process sees its own private key and no other.
      ...(signsIdentity ? [`identity-${name}:${KEYS_FOLDER}/own:ro`] : []),
      `identity-public:${KEYS_FOLDER}/public:ro`,
      ...(hasDerivedKeys === true ? [`agent-keys:${dirname(AGENT_KEYS_FILE)}:ro`] : []),
      ...(volume === undefined ? [] : [`models:${volume.path}`, RUN_VOLUME]),
    ],
    depends_on: Object.fromEntries(needed),
    ...(name === 'gateway' ? { ports: ['127.0.0.1:8080:8080'] } : {}),
  };
}

/**
 * Runs engines for the agent: as a different user, in a network without access to any server, and without any secret.
 */
function engines(): object {
  return {
    ...built(AGENT),
    command: ['node', 'app/dist/engines.js'],
    // Member of the agent's group.
    user: `${ENGINE_USER}:${USER}`,
    environment: ENGINE_ENVIRONMENT,
    healthcheck: { test: ['CMD', 'test', '-S', ENGINE_SOCKET], interval: '10s' },
    init: true,
    restart: 'unless-stopped',
    shm_size: '2gb',
    tmpfs: ['/tmp'],
    networks: ['engines'],
    volumes: [`models:${MODELS_VOLUME}`, RUN_VOLUME],
  };
}

/** Header of the compose file: what its reader must know first. */
export const COMPOSE_NOTE = `Clew with its servers on one machine (${SERVICE_NAMES.length} processes), to try it out:
  export AUTH_SECRET=$(openssl rand -base64 48)     keep it: stored credentials and keys are worth nothing without
  docker compose -f deploy/docker/compose.yaml up --build --detach
  docker compose -f deploy/docker/compose.yaml exec gateway node app/dist/bootstrap.js`;
