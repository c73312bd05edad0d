import type { Change, ChangeType } from '@clew/contracts';

/** Changes of a project that its listeners have not heard of yet: each thing once, however often it has changed. */
export interface PendingChanges {
  add(type: ChangeType, id: string, at: number): void;
  /** Takes all of them out, those of one type together. */
  take(): Change[];
}

interface OfType {
  /** Time of the last change, by the id of the thing; null once there are too many. */
  atById: Map<string, number> | null;
  lastAt: number;
}

/**
 * Collects changes in bounded memory: of a type with more than `maxIds` changed things, all that is kept is that many
 * have changed.
 */
export function createPendingChanges(maxIds: number): PendingChanges {
  const byType = new Map<ChangeType, OfType>();
  return {
    add(type, id, at) {
      const known = byType.get(type);
      if (known === undefined) {
        byType.set(type, { atById: new Map([[id, at]]), lastAt: at });
        return;
      }
      known.lastAt = Math.max(known.lastAt, at);
      if (known.atById === null) return;
      known.atById.set(id, Math.max(known.atById.get(id) ?? 0, at));
      if (known.atById.size > maxIds) known.atById = null;
    },
    take() {
      const taken = [...byType].flatMap(([type, { atById, lastAt }]): Change[] =>
        atById === null ? [{ type, id: null, at: lastAt }] : [...atById].map(([id, at]) => ({ type, id, at })),
      );
      byType.clear();
      return taken;
    },
  };
}
