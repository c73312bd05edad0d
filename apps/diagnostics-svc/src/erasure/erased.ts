import type { Tombstones } from '@clew/persistence';

interface OfConversation {
  projectId: string;
  conversationId: string;
}

/** Drops items of conversations that were erased. */
export type Erased = <One extends OfConversation>(some: readonly One[]) => Promise<One[]>;

export function createErased(tombstones: Pick<Tombstones, 'among'>): Erased {
  return async (some) => {
    const erased = new Map<string, ReadonlySet<string>>();
    for (const [projectId, ofProject] of Map.groupBy(some, (one) => one.projectId)) {
      const names = [...new Set(ofProject.map(({ conversationId }) => conversationId))];
      erased.set(projectId, await tombstones.among(projectId, names));
    }
    return some.filter(({ projectId, conversationId }) => erased.get(projectId)?.has(conversationId) !== true);
  };
}
