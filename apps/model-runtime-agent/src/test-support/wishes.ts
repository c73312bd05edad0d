import { runtimeCommanded, type EngineName } from '@clew/contracts';
import { newId } from '@clew/kernel';
import type { Publisher } from '@clew/messaging';
import {
  artifactKey,
  createResourceStore,
  DEFAULT_PARALLEL_REQUESTS,
  incarnate,
  isCurrent,
  type ArtifactSpec,
  type EngineSpec,
  type Resource,
  type ResourceKind,
  type ServiceSpec,
} from '@clew/model-runtime';
import type { Database } from '@clew/persistence';
import { eventually } from '@clew/testing';
import { artifactOf, SCRIPTED_VERSION, testProfile } from '@clew/testing-model-runtime';

/** Wants things of a node, written as the API writes them, each with its command to the agent. */
export interface Wishes {
  wantEngine(engine: EngineName): Promise<Resource>;
  wantArtifact(modelId: string): Promise<Resource>;
  /** Has the engine and the artifact of a model, and then wants its service, which ends by itself only where that is said. */
  wantService(modelId: string, idleTimeoutMs?: number): Promise<Resource>;
  /** Wants a service, and waits until it is ready. */
  startModel(modelId: string, idleTimeoutMs?: number): Promise<Resource>;
  /** Waits until the resource is in a state; resolves with what it is then. */
  until(resource: Pick<Resource, 'id'>, state: Resource['state']): Promise<Resource>;
  giveBack(resource: Resource): Promise<void>;
  /** Gives everything back, and waits until it is gone. */
  giveAllBack(): Promise<void>;
}

export interface WishesDependencies {
  database: Database;
  publisher: Pick<Publisher, 'publish'>;
  node: string;
}

const PROJECT = newId('prj');
const CONTEXT_LENGTH = 2_048;
/** A look costs several queries: more of them would slow down what is waited for. */
const WAIT = { timeoutMs: 40_000, intervalMs: 50 };

export function createWishes({ database, publisher, node }: WishesDependencies): Wishes {
  const store = createResourceStore(database);
  const wanted = new Map<string, Resource>();

  async function command({ id: resourceId, generation, desired }: Resource): Promise<void> {
    const envelope = {
      ...{ id: newId('evt'), type: runtimeCommanded.type, version: runtimeCommanded.version },
      ...{ occurredAt: Date.now(), projectId: PROJECT, requestId: newId('req') },
      data: { node, resourceId, generation, desired },
    };
    // The broker returns the message until the agent has declared the queue of its node.
    await eventually(() => publisher.publish(runtimeCommanded, envelope), WAIT);
  }

  async function want(kind: ResourceKind, key: string, spec: unknown): Promise<Resource> {
    const id = `${node}/${kind}/${key}`;
    const resource = await database.withTransaction(async (tx) => {
      const previous = await store.get(id, tx);
      if (previous !== undefined && isCurrent(previous)) return previous;
      const generation = await store.nextGeneration(tx, id);
      const next = incarnate({ id, node, kind, spec, wantedBy: PROJECT }, previous, generation, Date.now());
      await store.put(tx, next);
      return next;
    });
    wanted.set(id, resource);
    await command(resource);
    return resource;
  }

  const wishes: Wishes = {
    wantEngine(engine) {
      const spec: EngineSpec = { engine, version: SCRIPTED_VERSION };
      return want('engine', engine, spec);
    },
    wantArtifact(modelId) {
      const spec: ArtifactSpec = { profile: profileOf(modelId), projectId: PROJECT };
      return want('artifact', artifactKey(spec.profile), spec);
    },
    async wantService(modelId, idleTimeoutMs) {
      const { engine, profileId } = artifactOf(modelId);
      const [onEngine, artifact] = [await wishes.wantEngine(engine), await wishes.wantArtifact(modelId)];
      await Promise.all([wishes.until(onEngine, 'ready'), wishes.until(artifact, 'ready')]);
      const spec: ServiceSpec = {
        ...{ engine, engineId: onEngine.id, engineGeneration: onEngine.generation },
        ...{ artifactId: artifact.id, artifactGeneration: artifact.generation },
        ...{ modelId, profileId, category: 'chat', memoryEstimateBytes: null },
        ...{ contextLength: CONTEXT_LENGTH, parallelRequests: DEFAULT_PARALLEL_REQUESTS },
        idleTimeoutMs: idleTimeoutMs ?? null,
      };
      return want('service', `${modelId}/${profileId}`, spec);
    },
    startModel: async (modelId, idleTimeoutMs) =>
      wishes.until(await wishes.wantService(modelId, idleTimeoutMs), 'ready'),
    until: ({ id }, state) =>
      eventually(async () => {
        const found = await store.get(id);
        if (found?.state !== state) throw new Error(`waited for ${state}, found ${JSON.stringify(found)}`);
        return found;
      }, WAIT),
    async giveBack(resource) {
      wanted.delete(resource.id);
      await database.withTransaction((tx) => store.release(tx, resource, Date.now()));
      await command({ ...resource, desired: 'absent' });
    },
    async giveAllBack() {
      // Services go before their artifacts and engines.
      for (const resource of [...wanted.values()].toReversed()) {
        await wishes.giveBack(resource);
        await wishes.until(resource, 'removed');
      }
    },
  };
  return wishes;
}

function profileOf(modelId: string): ArtifactSpec['profile'] {
  const profile = testProfile(modelId);
  if (profile === undefined) throw new Error(`The tests know no model ${modelId}`);
  return profile;
}
