import { runtimeCommanded } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Outbox, Transaction } from '@clew/persistence';
import type { Resource } from '@clew/model-runtime';
import type { RequestOf } from './request.ts';

/** Tells the node's agent, within the transaction, that the wanted state of a resource has changed. */
export type AgentCommand = (tx: Transaction, request: RequestOf, resource: Resource) => Promise<void>;

export function createAgentCommand(deps: { node: string; outbox: Outbox; clock: Clock }): AgentCommand {
  const { node, outbox, clock } = deps;
  return async (tx, { projectId, requestId }, { id: resourceId, generation, desired }) => {
    await outbox.append(tx, runtimeCommanded, {
      key: `${resourceId}:${generation}:${desired}`,
      ...{ projectId, requestId },
      occurredAt: clock.now(),
      data: { node, resourceId, generation, desired },
    });
  };
}
