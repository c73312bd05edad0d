import { runtimeCommanded } from '@clew/contracts';
import { AppError, notFound, type Clock } from '@clew/kernel';
import type { Database, Outbox, Transaction } from '@clew/persistence';
import {
  type Holding,
  type HoldingStore,
  incarnate,
  isCurrent,
  type Resource,
  type ResourceKind,
  type ResourceStore,
  type Subject,
} from '../resources/index.ts';
import type { RequestOf } from './request.ts';

export interface ResourcesDependencies {
  /** The node that this deployment places things on. */
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
  /** Names the thing among those of its kind. */
  key: string;
  /** What generations count. */
  subject: Subject;
  /** What is to be made, or what finds that out in the transaction. */
  spec: Spec | Find<Spec>;
  /** Whether an incarnation that is there will do; by default any will. */
  fits?(current: Resource, spec: Spec, holdsAlone: boolean): boolean;
  /** Runs in the transaction where a new incarnation is needed. */
  beforeNew?(tx: Transaction, spec: Spec): Promise<void>;
}

export interface Release extends RequestOf {
  resourceId: string;
  /** Only this incarnation. */
  generation?: number;
  /** Runs in the transaction before anything else of it. */
  before?(tx: Transaction): Promise<void>;
}

export interface Held {
  resource: Resource;
  holding: Holding;
}

export type ResourcesService = ReturnType<typeof createResourcesService>;

/**
 * What projects do to resources: take one, which makes it where it is not there, and give it back, which removes it
 * when nobody else holds it. Each is one transaction with the command to the agent.
 */
export function createResourcesService(deps: ResourcesDependencies) {
  const { node, database, outbox, clock, resources, holdings } = deps;
  const idOf = (kind: ResourceKind, key: string) => `${node}/${kind}/${key}`;

  async function command(tx: Transaction, { projectId, requestId }: RequestOf, resource: Resource) {
    const { id: resourceId, generation, desired } = resource;
    await outbox.append(tx, runtimeCommanded, {
      key: `${resourceId}:${generation}:${desired}`,
      ...{ projectId, requestId },
      occurredAt: clock.now(),
      data: { node, resourceId, generation, desired },
    });
  }

  async function renewed<Spec>(
    tx: Transaction,
    wanted: Acquire<Spec>,
    spec: Spec,
    previous: Resource | undefined,
  ): Promise<Resource> {
    await wanted.beforeNew?.(tx, spec);
    const { kind, key, subject } = wanted;
    const counted = subject.modelId === null ? key : `${subject.modelId}/${subject.profileId ?? ''}`;
    const generation = await resources.nextGeneration(tx, idOf(kind, counted));
    const resource = incarnate({ id: idOf(kind, key), node, kind, spec }, previous, generation, clock.now());
    await resources.put(tx, resource);
    await command(tx, wanted, resource);
    return resource;
  }

  async function release(tx: Transaction, given: Release): Promise<Held> {
    await given.before?.(tx);
    const { projectId, resourceId, generation } = given;
    const [resource, holding] = [await resources.get(resourceId, tx), await holdings.get(projectId, resourceId, tx)];
    if (resource === undefined || holding?.held !== true) throw notFound();
    if (generation !== undefined && generation > resource.generation) throw notFound();
    if (generation !== undefined && generation < resource.generation) {
      throw new AppError('GENERATION_SUPERSEDED', 'A newer generation has taken the place of this one');
    }
    const nowMs = clock.now();
    await holdings.giveBack(tx, holding, resource, nowMs);
    await resources.changeHolders(tx, resource, -1, nowMs);
    const left = { ...resource, holderCount: resource.holderCount - 1 };
    const after = left.holderCount === 0 && left.desired === 'present' ? await abandon(tx, given, left, nowMs) : left;
    return { resource: after, holding: (await holdings.get(projectId, resourceId, tx)) ?? holding };
  }

  async function abandon(tx: Transaction, given: Release, resource: Resource, nowMs: number): Promise<Resource> {
    await resources.release(tx, resource, nowMs);
    const after: Resource = { ...resource, desired: 'absent', state: 'removing' };
    await command(tx, given, after);
    return after;
  }

  return {
    node,
    idOf,
    /** The incarnation that the project holds from now on: the current one, or a new one. */
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
    release: (given: Release): Promise<Held> => database.withTransaction((tx) => release(tx, given)),
    /** The same as a part of a larger transaction. */
    releaseIn: release,
    /** What the project holds, with the incarnation that it holds. */
    async held(projectId: string, resourceId: string, tx?: Transaction): Promise<Held | undefined> {
      const holding = await holdings.get(projectId, resourceId, tx);
      if (holding?.held !== true) return undefined;
      const resource = await resources.get(resourceId, tx);
      return resource === undefined ? undefined : { resource, holding };
    },
  };
}
