import { AppError, notFound, type Clock } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import {
  type Holding,
  type HoldingState,
  type HoldingStore,
  isBeingRemoved,
  type Resource,
  type ResourceKind,
  type ResourceStore,
  type Subject,
  subjectId,
} from '@clew/model-runtime';
import type { AgentCommand } from './agent-command.ts';
import type { RequestOf } from './request.ts';

export interface RemovalsDependencies {
  node: string;
  database: Database;
  clock: Clock;
  resources: ResourceStore;
  holdings: HoldingStore;
}

export interface Removal extends RequestOf {
  kind: ResourceKind;
  /** Name of an engine. */
  key?: string;
  /** Subject whose generations are counted. */
  subject: Subject;
  /** Restricts the removal to this incarnation. */
  generation?: number;
  /** Runs in the transaction before the resource is given back. */
  before?(tx: Transaction): Promise<void>;
  /** Throws if the name is unknown; called only if the project never had anything of that name. */
  requireKnown?(): Promise<unknown>;
}

export interface Held {
  resource: Resource;
  holding: HoldingState;
}

/** Gives resources back for projects; a resource that nobody else holds is removed. */
export function createRemovals(deps: RemovalsDependencies, command: AgentCommand) {
  const { node, database, clock, resources, holdings } = deps;

  /** Finds the project's current holding for a removal. */
  async function heldFor(tx: Transaction, { projectId, kind, key, subject }: Removal): Promise<Holding | undefined> {
    const { modelId, profileId } = subject;
    if (modelId === null) {
      const holding = await holdings.get(projectId, `${node}/${kind}/${key ?? ''}`, tx);
      return holding?.held === true ? holding : undefined;
    }
    const held = await holdings.heldOf(projectId, node, kind, modelId, tx);
    return held.find((holding) => holding.profileId === profileId);
  }

  async function remove(tx: Transaction, removal: Removal): Promise<Held | undefined> {
    const holding = await heldFor(tx, removal);
    const resource = holding === undefined ? undefined : await resources.get(holding.resourceId, tx);
    if (holding === undefined || resource === undefined) return removedBefore(tx, removal);
    const { generation = resource.generation } = removal;
    if (generation > resource.generation) throw notFound();
    if (generation < resource.generation) {
      throw new AppError('GENERATION_SUPERSEDED', 'A newer generation has taken the place of this one');
    }
    await removal.before?.(tx);
    return giveBack(tx, removal, holding, resource);
  }

  /** The project holds nothing: the resource it last gave back may still be in removal. */
  async function removedBefore(tx: Transaction, removal: Removal): Promise<Held | undefined> {
    const { projectId, kind, key = '', subject, generation } = removal;
    const counted = subjectId({ node, kind, resourceId: `${node}/${kind}/${key}` }, subject);
    const last = await holdings.lastGivenBack(tx, projectId, counted);
    if (last === undefined) await removal.requireKnown?.();
    if (generation !== undefined && generation > (last?.generation ?? 0)) throw notFound();
    if (last === undefined || (generation ?? last.generation) < last.generation) return undefined;
    const resource = await resources.get(last.resourceId, tx);
    if (resource === undefined || !isBeingRemoved(resource, last.generation)) return undefined;
    return { resource, holding: (await holdings.get(projectId, last.resourceId, tx)) ?? forgotten(resource) };
  }

  /** Resolves with the resource still being removed; undefined if the project has nothing left. */
  async function giveBack(
    tx: Transaction,
    request: RequestOf,
    holding: Holding,
    resource: Resource,
  ): Promise<Held | undefined> {
    const nowMs = clock.now();
    await holdings.giveBack(tx, holding, resource, nowMs);
    await resources.changeHolders(tx, resource, -1, nowMs);
    const left = { ...resource, holderCount: resource.holderCount - 1 };
    const isLast = left.holderCount === 0 && left.desired === 'present';
    const after = isLast ? await abandon(tx, request, left, nowMs) : left;
    if (!isBeingRemoved(after, resource.generation)) return undefined;
    return { resource: after, holding: (await holdings.get(holding.projectId, resource.id, tx)) ?? holding };
  }

  async function abandon(tx: Transaction, request: RequestOf, resource: Resource, nowMs: number): Promise<Resource> {
    await resources.release(tx, resource, nowMs);
    const after: Resource = { ...resource, desired: 'absent', state: 'removing' };
    await command(tx, request, after);
    return after;
  }

  return {
    /**
     * Gives back what the project has of a subject. Resolves with the resource that the node is still removing,
     * undefined when the project has nothing left; safe to repeat. Throws NOT_FOUND for a generation that the project
     * never had, and GENERATION_SUPERSEDED for one older than its current one.
     */
    remove: (removal: Removal): Promise<Held | undefined> => database.withTransaction((tx) => remove(tx, removal)),
    /** Does the same as part of a larger transaction. */
    removeIn: remove,
    /** Gives back one resource that the project holds. */
    release: (request: RequestOf, resourceId: string, before: (tx: Transaction) => Promise<void>): Promise<void> =>
      database.withTransaction(async (tx) => {
        await before(tx);
        const holding = await holdings.get(request.projectId, resourceId, tx);
        const resource = await resources.get(resourceId, tx);
        if (holding?.held === true && resource !== undefined) await giveBack(tx, request, holding, resource);
      }),
  };
}

/** State shown for a holding that was given back so long ago that its record is gone. */
function forgotten({ generation, createdAt, updatedAt }: Resource): HoldingState {
  return { held: false, generation, endedAs: 'complete', createdAt, updatedAt };
}
