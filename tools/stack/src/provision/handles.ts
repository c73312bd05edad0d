import { STOP_ORDER } from '../system/unit.ts';
import type { Unit } from '../system/unit.ts';
import { createProvisionContext } from './context.ts';
import type { ProvisionOptions } from './context.ts';
import { startMongo } from './mongo/provision.ts';
import { startRabbit } from './rabbit/provision.ts';

/** A server that was provided to a caller outside the stack, which looks after it alone. */
export interface ServerHandle {
  /** The server's process; undefined when it is not ours (MONGO_URL, AMQP_URL). */
  pid(): number | undefined;
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
  const server = await startMongo(createProvisionContext(options));
  return { url: server.url, ...handleOf(server.units) };
}

/** Provides a RabbitMQ with data, ports and logs under `home`. */
export async function provisionRabbit(options: ProvisionOptions): Promise<RabbitHandle> {
  const server = await startRabbit(createProvisionContext(options));
  return { amqpUrl: server.amqpUrl, managementUrl: server.managementUrl, ...handleOf(server.units) };
}

function handleOf(units: readonly Unit[]): ServerHandle {
  const main = units.at(-1);
  return {
    pid: () => main?.pid(),
    stop: ({ immediately = false } = {}) => stopUnits(units, { immediately }),
    async restart() {
      await main?.stop();
      for (const unit of units) if (unit.pid() === undefined) await unit.start();
    },
  };
}

/** Stops units tier by tier: those that use others before those that are used. */
export async function stopUnits(units: readonly Unit[], options: { immediately?: boolean } = {}): Promise<void> {
  for (const tier of STOP_ORDER) {
    const ofTier = units.filter((unit) => unit.tier === tier);
    await Promise.all(ofTier.map((unit) => (options.immediately === true ? unit.kill() : unit.stop())));
  }
}
