import path from 'node:path';
import { Unavailable } from '../../system/errors.ts';
import { createUnit } from '../../system/unit.ts';
import type { ProvisionContext } from '../context.ts';
import { dockerCommand, removeContainer, requireDockerImage } from '../docker.ts';
import type { Container } from '../docker.ts';
import { aptInstall } from '../privileges.ts';
import { firstThatWorks } from '../sources.ts';
import type { Source } from '../sources.ts';
import { rabbitFromDebianPackages } from './debian-packages.ts';
import { rabbitOnPath } from './installation.ts';
import type { RabbitInstallation } from './installation.ts';
import { startLocalRabbit } from './local.ts';
import { amqpUrl, managementUrl, requireBroker, waitForBroker, type RabbitServer } from './ready.ts';

export const RABBIT_IMAGE = 'rabbitmq:4-management';
export const RABBIT_ROLE = 'rabbitmq';

const HELP = [
  'To help, do one of these and start again:',
  '  - set AMQP_URL to a RabbitMQ that runs already;',
  '  - start Docker;',
  '  - install RabbitMQ (Debian: rabbitmq-server; macOS: brew install rabbitmq);',
  '  - on Debian, let apt-get reach its package sources.',
].join('\n');

/** Provides RabbitMQ from the first source that works here. */
export function startRabbit(context: ProvisionContext): Promise<RabbitServer> {
  return firstThatWorks({ title: 'RabbitMQ', help: HELP }, rabbitSources(context), context);
}

/** Address that RabbitMQ has, or will have, whichever source it comes from. */
export async function addressOfBroker({ env, ports }: Pick<ProvisionContext, 'env' | 'ports'>): Promise<string> {
  const url = env['AMQP_URL'];
  return url === undefined || url === '' ? amqpUrl(await ports.claim('rabbitmq')) : url;
}

function rabbitSources(context: ProvisionContext): Source<RabbitServer>[] {
  const url = context.env['AMQP_URL'];
  const external: Source<RabbitServer>[] =
    url === undefined || url === ''
      ? []
      : [{ name: 'AMQP_URL', storage: 'external', attempt: () => useExternalRabbit(url, context) }];
  const local = (name: string, origin: string, find: () => Promise<RabbitInstallation>): Source<RabbitServer> => ({
    name,
    storage: 'local',
    attempt: async () => startLocalRabbit(await find(), origin, context),
  });
  let isUnpacked = false;
  return [
    ...external,
    { name: 'Docker', storage: 'docker', attempt: () => startRabbitContainer(context) },
    local('rabbitmq-server on PATH', 'from PATH', () => rabbitOnPath(context)),
    local("Debian's packages, unpacked", "from Debian's packages", async () => {
      const installation = await rabbitFromDebianPackages(context);
      isUnpacked = true;
      return installation;
    }),
    local('apt-get install', 'installed by apt-get', async () => {
      // Does not change the machine for packages that are already unpacked but did not start.
      if (isUnpacked) throw new Unavailable('the same packages are here already');
      await aptInstall(['rabbitmq-server'], context);
      return rabbitOnPath(context);
    }),
  ];
}

async function useExternalRabbit(url: string, context: ProvisionContext): Promise<RabbitServer> {
  await requireBroker(url);
  return {
    description: 'RabbitMQ of AMQP_URL',
    amqpUrl: url,
    managementUrl: context.env['AMQP_MANAGEMENT_URL'],
    units: [],
  };
}

/** Container that serves AMQP and the management API on these ports. */
export function rabbitContainer(ports: { amqp: number; management: number }): Container {
  return {
    role: RABBIT_ROLE,
    image: RABBIT_IMAGE,
    ports: [
      { host: ports.amqp, container: 5672 },
      { host: ports.management, container: 15672 },
    ],
    dataPath: '/var/lib/rabbitmq',
    // The node name, and therefore that of its data directory, contains the host name.
    options: ['--hostname', 'clew'],
    command: [],
  };
}

async function startRabbitContainer(context: ProvisionContext): Promise<RabbitServer> {
  await requireDockerImage(context, RABBIT_IMAGE);
  const ports = {
    amqp: await context.ports.claim('rabbitmq'),
    management: await context.ports.claim('rabbitmq-management'),
  };
  const unit = createUnit(
    {
      name: 'rabbitmq',
      tier: 'broker',
      command: () => dockerCommand(context, rabbitContainer(ports)),
      logFile: path.join(context.home, 'logs', 'rabbitmq.log'),
      ready: (signal) => waitForBroker(ports, signal),
      readyTimeoutMs: 120_000,
      stopGraceMs: 20_000,
      clear: () => removeContainer(context, RABBIT_ROLE),
    },
    context.registry,
  );
  await unit.start(context.signal);
  return {
    description: `${RABBIT_IMAGE} in Docker, 127.0.0.1:${ports.amqp}`,
    amqpUrl: amqpUrl(ports.amqp),
    managementUrl: managementUrl(ports.management),
    units: [unit],
  };
}
