import {
  ENGINES,
  type EngineName,
  type RuntimeActivity,
  type RuntimeNode,
  type RuntimeSnapshot,
} from '@clew/contracts';
import { comeBackLater, type Clock } from '@clew/kernel';
import {
  AWAY_AFTER_MS,
  type Holding,
  type HoldingStore,
  type NodeFacts,
  type NodeStore,
  type Resource,
  type ResourceKind,
  type ResourceStore,
} from '@clew/model-runtime';
import { downloadView, engineView, isShownDownload, serviceView } from './views.ts';

export interface SnapshotDependencies {
  node: string;
  nodes: NodeStore;
  resources: ResourceStore;
  holdings: HoldingStore;
  versions: Readonly<Record<EngineName, string>>;
  clock: Clock;
}

export type SnapshotService = ReturnType<typeof createSnapshotService>;

interface Shown {
  holding: Holding;
  resource: Resource;
}

const SHOWN_OF_A_KIND = 200;
const RETRY_AFTER_MS = 5_000;

/** Reads everything that a project has on the node, always in two rounds of queries. */
export function createSnapshotService(deps: SnapshotDependencies) {
  const { node, nodes, resources, holdings, versions, clock } = deps;

  async function shownOf(projectId: string): Promise<Record<ResourceKind, Shown[]>> {
    const [engine, artifact, service] = await Promise.all(
      (['engine', 'artifact', 'service'] as const).map((kind) =>
        holdings.recent(projectId, node, kind, SHOWN_OF_A_KIND),
      ),
    );
    const all = [...(engine ?? []), ...(artifact ?? []), ...(service ?? [])];
    const found = await resources.list(all.map(({ resourceId }) => resourceId));
    const byId = new Map(found.map((resource) => [resource.id, resource]));
    const shown = (list: readonly Holding[] = []) =>
      list.flatMap((holding) => {
        const resource = byId.get(holding.resourceId);
        return resource === undefined ? [] : [{ holding, resource }];
      });
    return { engine: shown(engine), artifact: shown(artifact), service: shown(service) };
  }

  async function describeNode(): Promise<RuntimeNode> {
    const found = await nodes.get(node);
    if (found === undefined) {
      return { id: node, status: 'away', lastSeenAt: null, memory: null, disk: null, gpus: [] };
    }
    const { lastSeenAt, memory, disk, gpus } = found;
    const status = clock.now() - lastSeenAt <= AWAY_AFTER_MS ? 'online' : 'away';
    return { id: node, status, lastSeenAt, memory, disk, gpus };
  }

  function enginesOf(shown: readonly Shown[]) {
    return ENGINES.map((engine) => {
      const found = shown.find(({ resource }) => (resource.spec as { engine: EngineName }).engine === engine);
      return { view: engineView(engine, versions[engine], found?.holding, found?.resource), found };
    });
  }

  return {
    async snapshot(projectId: string): Promise<RuntimeSnapshot> {
      const [described, shown] = await Promise.all([describeNode(), shownOf(projectId)]);
      const downloads = shown.artifact.filter(({ holding }) => isShownDownload(holding));
      return {
        node: described,
        engines: enginesOf(shown.engine).map(({ view }) => view),
        downloads: downloads.map(({ holding, resource }) => downloadView(holding, resource)),
        services: shown.service.map(({ holding, resource }) => serviceView(holding, resource)),
      };
    },

    /** Returns the same as one list, latest change first, with the printed lines. */
    async activity(projectId: string): Promise<RuntimeActivity[]> {
      const shown = await shownOf(projectId);
      const logOf = ({ holding, resource }: Shown) => (holding.held ? resource.log : []);
      const entries: RuntimeActivity[] = [
        ...enginesOf(shown.engine).flatMap(({ view, found }) =>
          found === undefined ? [] : [{ kind: 'engine' as const, ...view, log: logOf(found) }],
        ),
        ...shown.artifact
          .filter(({ holding }) => isShownDownload(holding))
          .map(({ holding, resource }) => ({ kind: 'download' as const, ...downloadView(holding, resource) })),
        ...shown.service.map((found) => ({
          kind: 'service' as const,
          ...serviceView(found.holding, found.resource),
          log: logOf(found),
        })),
      ];
      return entries.sort((a, b) => (b.updatedAt ?? 0) - (a.updatedAt ?? 0));
    },

    /** Returns the facts of the node; throws if no agent has ever reported them. */
    async requireNode(): Promise<NodeFacts> {
      const found = await nodes.get(node);
      if (found === undefined) {
        throw comeBackLater('MODEL_RUNTIME_UNAVAILABLE', 'No runtime agent has shown itself yet', RETRY_AFTER_MS);
      }
      return found;
    },

    /** Returns the models whose artifacts the project has completely. */
    async installedModelIds(projectId: string): Promise<string[]> {
      const held = await holdings.heldForModels(projectId, node, 'artifact');
      const ready = await resources.readyAmong(held.map(({ resourceId }) => resourceId));
      return [...new Set(held.flatMap(({ modelId, resourceId }) => (ready.has(resourceId) ? [modelId] : [])))];
    },
  };
}
