import type { Clock } from '@clew/kernel';
import type { Database, Outbox, Transaction } from '@clew/persistence';
import {
  type HoldingStore,
  incarnate,
  isCurrent,
  type Resource,
  type ResourceKind,
  type ResourceStore,
  type Subject,
  subjectId,
} from '@clew/model-runtime';
import { createAgentCommand } from './agent-command.ts';
import { createRemovals, type Held } from './removals.ts';
import type { RequestOf } from './request.ts';

export interface ResourcesDependencies {
  /** Node on which this deployment places resources. */
  node: string;
  database: Database;
  outbox: Outbox;
  clock: Clock;
  resources: ResourceStore;
  holdings: HoldingStore;
}

type Find<Spec> = (tx: Transaction) => Promise<Spec>;

export interface Acquire<Spec> extends RequestOf {
  kind: ResourceKind;
  /** Name of the resource within its kind. */
  key: string;
  /** Subject whose generations are counted. */
  subject: Subject;
  /** Specification of the resource, or a function that finds it in the transaction. */
  spec: Spec | Find<Spec>;
  /** Whether an existing incarnation suffices; by default any does. */
  fits?(current: Resource, spec: Spec, holdsAlone: boolean): boolean;
  /** Runs in the transaction if a new incarnation is needed. */
  beforeNew?(tx: Transaction, spec: Spec): Promise<void>;
}

export type ResourcesService = ReturnType<typeof createResourcesService>;

/**
 * Operations of projects on resources: taking one, which makes it if it is not there, and giving it back, which removes
 * it if nobody else holds it. Each is one transaction with the command to the agent.
 */
export function createResourcesService(deps: ResourcesDependencies) {
  const { node, database, clock, resources, holdings } = deps;
  const idOf = (kind: ResourceKind, key: string) => `${node}/${kind}/${key}`;
  const command = createAgentCommand(deps);

  async function renewed<Spec>(
    tx: Transaction,
    wanted: Acquire<Spec>,
    spec: Spec,
    previous: Resource | undefined,
  ): Promise<Resource> {
    await wanted.beforeNew?.(tx, spec);
    const { kind, key, subject, projectId: wantedBy } = wanted;
    const id = idOf(kind, key);
    const generation = await resources.nextGeneration(tx, subjectId({ node, kind, resourceId: id }, subject));
    const resource = incarnate({ id, node, kind, spec, wantedBy }, previous, generation, clock.now());
    await resources.put(tx, resource);
    await command(tx, wanted, resource);
    return resource;
  }

  return {
    node,
    idOf,
    ...createRemovals(deps, command),
    /**
     * Takes a resource and returns the incarnation that the project holds from now on: the current one, or a new one.
     */
    acquire<Spec>(wanted: Acquire<Spec>): Promise<Held> {
      return database.withTransaction(async (tx) => {
        const { projectId, kind, key, subject, fits = () => true } = wanted;
        const previous = await resources.get(idOf(kind, key), tx);
        const mine = await holdings.get(projectId, idOf(kind, key), tx);
        const holdsAlone = (previous?.holderCount ?? 0) - (mine?.held === true ? 1 : 0) === 0;
        const spec = typeof wanted.spec === 'function' ? await (wanted.spec as Find<Spec>)(tx) : wanted.spec;
        const serves = previous !== undefined && isCurrent(previous) && fits(previous, spec, holdsAlone);
        const resource = serves ? previous : await renewed(tx, wanted, spec, previous);
        const isNew = await holdings.take(tx, projectId, resource, subject, clock.now());
        if (isNew) await resources.changeHolders(tx, resource, 1, clock.now());
        const holding = await holdings.get(projectId, resource.id, tx);
        if (holding === undefined) throw new Error('The holding was not written');
        return { resource, holding };
      });
    },
    /** Returns the project's holding, with the incarnation that it holds. */
    async held(projectId: string, resourceId: string, tx?: Transaction): Promise<Held | undefined> {
      const holding = await holdings.get(projectId, resourceId, tx);
      if (holding?.held !== true) return undefined;
      const resource = await resources.get(resourceId, tx);
      return resource === undefined ? undefined : { resource, holding };
    },
  };
}
