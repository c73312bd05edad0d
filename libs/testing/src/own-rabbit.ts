import { provision } from './provisioned.ts';

/** Broker for a single test, which may kill it. */
export interface OwnRabbit {
  amqpUrl: string;
  /** Ends it at once (SIGKILL), without any cleanup. */
  kill(): void;
  /** Starts it again with the same data and port; resolves once it serves. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a RabbitMQ of the development stack; rejects if others use that one as well. */
export async function startOwnRabbit(): Promise<OwnRabbit> {
  const { server, stop } = await provision('provisionRabbit');
  if (server.pid === undefined) {
    await stop();
    throw new Error('The broker is not ours to kill');
  }
  return {
    amqpUrl: server.amqpUrl,
    kill() {
      const pid = server.pid;
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    },
    restart: () => server.restart(),
    stop,
  };
}
