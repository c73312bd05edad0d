import { snapshotAnalysed } from '@clew/contracts';
import { connectBroker, subscribeBroadcast } from '@clew/messaging';
import { createLogger } from '@clew/runtime';
import type { StackFile } from '@clew/stack';

/** Ear for the conversations that have been analysed, which costs the database no read. */
export interface Analysed {
  /** Resolves once so many conversations have been told of. */
  until(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** Begins to hear of analysed conversations. */
export async function hearAnalysed({ amqpUrl }: Pick<StackFile, 'amqpUrl'>): Promise<Analysed> {
  const logger = createLogger({ service: 'bench', version: '0', level: 'error' });
  const broker = await connectBroker({ url: amqpUrl, appName: 'bench', logger });
  const subscribed = Promise.withResolvers<void>();
  const heard = new Set<string>();
  let awaited = { count: Infinity, resolve: (): void => undefined };
  const check = () => {
    if (heard.size >= awaited.count) awaited.resolve();
  };
  const subscription = subscribeBroadcast({
    ...{ broker, logger, spec: snapshotAnalysed, onSubscribed: subscribed.resolve },
    handle({ data }) {
      for (const { conversationId, analysed } of data.snapshots) if (analysed) heard.add(conversationId);
      check();
    },
  });
  await subscribed.promise;
  return {
    async until(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      awaited = { count, resolve };
      check();
      await promise;
    },
    async stop() {
      await subscription.stop();
      await broker.close();
    },
  };
}
