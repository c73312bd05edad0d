import { createProvisionContext } from './provision/context.ts';
import type { ProvisionContext, ProvisionOptions } from './provision/context.ts';
import { startMongo } from './provision/mongo/provision.ts';
import { startRabbit } from './provision/rabbit/provision.ts';
import { createHome, homeDirectory } from './stack/home.ts';
import { stopUnits } from './system/stop-units.ts';
import type { Unit } from './system/unit.ts';

/** A server that was provided to a caller outside the stack, which looks after it alone. */
export interface ServerHandle {
  /** The server's process; changes with a restart, undefined when it is not ours (MONGO_URL, AMQP_URL). */
  readonly pid: number | undefined;
  /** Ends it. `immediately` skips the orderly shutdown, for data that nobody will read again. */
  stop(options?: { immediately?: boolean }): Promise<void>;
  /** Starts it again on the same data and ports, whether it was killed or still runs. */
  restart(): Promise<void>;
}

export interface MongoHandle extends ServerHandle {
  url: string;
}

export interface RabbitHandle extends ServerHandle {
  amqpUrl: string;
  /** With credentials; undefined where the broker has no management API that we know of. */
  managementUrl: string | undefined;
}

/** Provides a MongoDB replica set with data, ports and logs under `home`. */
export async function provisionMongo(options: ProvisionOptions): Promise<MongoHandle> {
  const server = await startMongo(contextOf(options));
  return Object.assign(handleOf(server.units), { url: server.url });
}

/** Provides a RabbitMQ with data, ports and logs under `home`. */
export async function provisionRabbit(options: ProvisionOptions): Promise<RabbitHandle> {
  const server = await startRabbit(contextOf(options));
  return Object.assign(handleOf(server.units), { amqpUrl: server.amqpUrl, managementUrl: server.managementUrl });
}

// Such homes are often temporary: packages are unpacked once, where the stack of this checkout has them too.
function contextOf(options: ProvisionOptions): ProvisionContext {
  const { packagesDirectory } = createHome(homeDirectory(options.env ?? process.env));
  return createProvisionContext({ packagesDirectory, ...options });
}

function handleOf(units: readonly Unit[]): ServerHandle {
  const main = units.at(-1);
  return {
    get pid() {
      return main?.pid();
    },
    stop: ({ immediately = false } = {}) => stopUnits(units, { immediately }),
    async restart() {
      await main?.stop();
      for (const unit of units) if (unit.pid() === undefined) await unit.start();
    },
  };
}
