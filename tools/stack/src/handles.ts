import { provideChromium } from './provision/chromium.ts';
import type { Chromium } from './provision/chromium.ts';
import { createProvisionContext } from './provision/context.ts';
import type { ProvisionContext, ProvisionOptions } from './provision/context.ts';
import { startMongo } from './provision/mongo/provision.ts';
import { startRabbit } from './provision/rabbit/provision.ts';
import { createHome, homeDirectory } from './stack/home.ts';
import { stopUnits } from './system/stop-units.ts';
import type { Unit } from './system/unit.ts';

/** Server provided to a caller outside the stack, who is solely responsible for it. */
export interface ServerHandle {
  /** Process id of the server; changes with a restart, undefined for an external server (MONGO_URL, AMQP_URL). */
  readonly pid: number | undefined;
  /** Stops the server. `immediately` skips the orderly shutdown, for data that nobody will read again. */
  stop(options?: { immediately?: boolean }): Promise<void>;
  /** Starts the server again with the same data and ports, whether it was killed or is still running. */
  restart(): Promise<void>;
}

export interface MongoHandle extends ServerHandle {
  url: string;
}

export interface RabbitHandle extends ServerHandle {
  amqpUrl: string;
  /** Address with credentials; undefined if the broker has no known management API. */
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

/** Provides Chromium for tests and pictures of pages; nothing of it runs yet. */
export function provisionChromium(options: Partial<ProvisionOptions> = {}): Promise<Chromium> {
  const { directory } = createHome(homeDirectory(options.env ?? process.env));
  return provideChromium(createProvisionContext({ home: directory, ...options }));
}

// Such homes are often temporary, so packages are unpacked into the checkout's own home, which its stack uses too.
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
