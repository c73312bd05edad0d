import type { ComparedCluster } from '../reviews.model.ts';

/** Cluster that joins another one. */
export interface Join {
  id: string;
  into: string;
}

/**
 * New clusters of each group join its oldest one, of those that were compared before if there are any. Others stay as
 * they are: what was compared before was found different, or people have taken it apart.
 */
export function joinsOf(known: readonly ComparedCluster[], groups: readonly (readonly string[])[]): Join[] {
  const byId = new Map(known.map((cluster) => [cluster._id, cluster]));
  return groups.flatMap((ids) => {
    const group = ids.flatMap((id) => byId.get(id) ?? []);
    const [home, ...others] = group.toSorted(
      (one, other) =>
        Number(isNew(one)) - Number(isNew(other)) || one.createdAt - other.createdAt || inOrderOfIds(one, other),
    );
    if (home === undefined) return [];
    return others.filter(isNew).map(({ _id }) => ({ id: _id, into: home._id }));
  });
}

function isNew({ standing }: ComparedCluster): boolean {
  return standing === 'new';
}

function inOrderOfIds(one: { _id: string }, other: { _id: string }): number {
  return one._id < other._id ? -1 : 1;
}
