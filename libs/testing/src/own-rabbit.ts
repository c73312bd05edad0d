import { provision } from './provisioned.ts';

/** A broker for one test alone, which may kill it. */
export interface OwnRabbit {
  amqpUrl: string;
  /** Ends it at once (SIGKILL), without a chance to tidy up. */
  kill(): void;
  /** Starts it again on the same data and port; resolves once it serves. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a RabbitMQ of the development stack; rejects where that would be one that others use as well. */
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
