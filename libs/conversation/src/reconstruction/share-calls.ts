import { isSameCall, keeperOf, keysOfRecord, type CallRecord, type HeldRecord } from './call-identity.ts';
import { MAX_TWIN_CANDIDATES } from './limits.ts';

/** Calls that a conversation shares with others: those that it loses, and those that it takes over. */
export interface CallShare<Held extends HeldRecord> {
  /** Ids of the conversations that keep a call of this one, by the key of its record. */
  lost: Map<string, string>;
  /** Records of other conversations that it takes over. */
  taken: Held[];
}

/**
 * Decides for one conversation which of its calls it keeps, and which records of other conversations it takes over. If
 * the application and the endpoint record a call in different conversations, only one of them may keep it. All that see
 * the same records decide alike: a record taken by one conversation is lost by the other.
 */
export function shareCalls<Held extends HeldRecord>(
  conversationId: string,
  own: readonly CallRecord[],
  others: readonly Held[],
): CallShare<Held> {
  const foreign = others.filter((held) => held.conversationId !== conversationId);
  const foreignByKey = indexByKey(foreign);
  const ownByKey = indexByKey(own.map((record) => heldBy(conversationId, record)));
  const lost = new Map<string, string>();
  for (const record of own) {
    const same = recordsOfSameCall(record, foreignByKey);
    if (same.length === 0) continue;
    const keeper = keeperOf([heldBy(conversationId, record), ...recordsOfSameCall(record, ownByKey), ...same]);
    if (keeper.conversationId !== conversationId) lost.set(record.key, keeper.conversationId);
  }
  const taken = foreign.filter((held) => {
    const ours = recordsOfSameCall(held.record, ownByKey);
    if (ours.length === 0) return false;
    return keeperOf([held, ...ours, ...recordsOfSameCall(held.record, foreignByKey)]).conversationId === conversationId;
  });
  return { lost, taken };
}

/**
 * Assigns a record to its conversation. A conversation that no span names has the id of its trace, with which the keys
 * of its records begin.
 */
export function heldBy(conversationId: string, record: CallRecord): HeldRecord {
  return { conversationId, isNamed: !record.key.startsWith(`${conversationId}:`), record };
}

type RecordsByKey = ReadonlyMap<string, readonly HeldRecord[]>;

function indexByKey(records: readonly HeldRecord[]): RecordsByKey {
  const byKey = new Map<string, HeldRecord[]>();
  for (const held of records) {
    for (const key of keysOfRecord(held.record)) {
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, [held]);
      else known.push(held);
    }
  }
  return byKey;
}

function recordsOfSameCall(record: CallRecord, records: RecordsByKey): HeldRecord[] {
  const found = new Set(
    keysOfRecord(record).flatMap((key) =>
      (records.get(key) ?? []).filter((held) => isSameCall(record, held.record)).slice(0, MAX_TWIN_CANDIDATES),
    ),
  );
  return [...found];
}
