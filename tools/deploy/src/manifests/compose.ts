import { addressVariable, CALLED_SERVICES, SERVICE_NAMES, serviceDefinition } from '@clew/contracts/services';
import { terminationSecondsOf } from '@clew/contracts/shutdown';
import { MIGRATED, WORKLOADS } from './workloads.ts';
import { databaseOf, KEYS_FOLDER, PORT, USER } from './pod.ts';

const INITIATE = [
  "try { rs.status() } catch { rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongo:27017' }] }) }",
  'if (!db.hello().isWritablePrimary) quit(1)',
].join('; ');

const HEALTHY = { condition: 'service_healthy' } as const;
const ENDED = { condition: 'service_completed_successfully' } as const;

/** Everything on one machine with Docker, with servers of its own: to try it out. */
export function composeFile(): object {
  return {
    name: 'clew',
    services: {
      ...servers(),
      identity: {
        ...built('cli'),
        // The volume belongs to root until this has run.
        user: '0:0',
        cap_add: ['CHOWN'],
        command: ['node', 'app/dist/main.js', 'identity-keys', KEYS_FOLDER, '--owner', String(USER)],
        volumes: [`identity:${KEYS_FOLDER}`],
        network_mode: 'none',
      },
      ...Object.fromEntries(MIGRATED.map((name) => [`migrate-${name}`, migration(name)])),
      ...Object.fromEntries(WORKLOADS.map((workload) => [workload.name, app(workload)])),
    },
    volumes: { mongo: {}, rabbitmq: {}, identity: {}, models: {} },
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

function built(image: string, target = 'service') {
  const name = target === 'service' ? image : 'model-runtime-agent';
  return {
    image: `clew/${name}:\${CLEW_VERSION:-0.1.0}`,
    build: { context: '../..', dockerfile: 'deploy/docker/Dockerfile', target, args: { APP: image } },
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

function app({ name, command, environment, volume }: (typeof WORKLOADS)[number]): object {
  const { roleOf, signsIdentity } = serviceDefinition(name);
  const addresses = CALLED_SERVICES.map((called) => [addressVariable(called), `http://${called}:${PORT}`]);
  const needed = [...MIGRATED.map((app) => [`migrate-${app}`, ENDED]), ['identity', ENDED]];
  return {
    ...built(roleOf?.app ?? name, roleOf === undefined ? 'service' : 'agent'),
    command: [...command],
    environment: {
      ...SERVER_ADDRESSES,
      ...(databaseOf(name) === undefined ? {} : { AUTH_SECRET: '${AUTH_SECRET:?at least 32 bytes, and keep it}' }),
      IDENTITY_PUBLIC_KEYS_FILE: `${KEYS_FOLDER}/public-keys.json`,
      ...(signsIdentity ? { IDENTITY_PRIVATE_KEY_FILE: `${KEYS_FOLDER}/${name}.pem` } : {}),
      ...Object.fromEntries(addresses),
      ...environment,
    },
    restart: 'unless-stopped',
    stop_grace_period: `${terminationSecondsOf(name)}s`,
    tmpfs: ['/tmp'],
    volumes: [`identity:${KEYS_FOLDER}:ro`, ...(volume === undefined ? [] : [`models:${volume.path}`])],
    depends_on: Object.fromEntries(needed),
    ...(name === 'gateway' ? { ports: ['127.0.0.1:8080:8080'] } : {}),
  };
}

/** What a reader of the file needs to know before it. */
export const COMPOSE_NOTE = `Clew with its servers on one machine (${SERVICE_NAMES.length} processes), to try it out:
  export AUTH_SECRET=$(openssl rand -base64 48)     keep it: stored credentials and keys are worth nothing without
  docker compose -f deploy/docker/compose.yaml up --build --detach
  docker compose -f deploy/docker/compose.yaml exec gateway node app/dist/bootstrap.js`;
