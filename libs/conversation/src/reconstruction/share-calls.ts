import { isSameCall, keeperOf, keysOfRecord, type CallRecord, type HeldRecord } from './call-identity.ts';
import { MAX_TWIN_CANDIDATES } from './limits.ts';

/** Result of sharing calls between conversations, for one of them. */
export interface SharedOut<Held extends HeldRecord> {
  /** Its own calls that another conversation keeps, by the key of the record. */
  lost: Map<string, string>;
  /** Records of other conversations that it takes over. */
  taken: Held[];
}

/**
 * Decides for one conversation which of its calls it keeps, and which records of other conversations it takes over. All
 * that see the same records decide alike: a record taken by one conversation is lost by the other.
 */
export function shareCalls<Held extends HeldRecord>(
  conversationId: string,
  own: readonly CallRecord[],
  others: readonly Held[],
): SharedOut<Held> {
  const foreign = others.filter((held) => held.conversationId !== conversationId);
  const foreignOf = index(foreign);
  const ownOf = index(own.map((record) => heldBy(conversationId, record)));
  const lost = new Map<string, string>();
  for (const record of own) {
    const same = sameAs(record, foreignOf);
    if (same.length === 0) continue;
    const keeper = keeperOf([heldBy(conversationId, record), ...sameAs(record, ownOf), ...same]);
    if (keeper.conversationId !== conversationId) lost.set(record.key, keeper.conversationId);
  }
  const taken = foreign.filter((held) => {
    const ours = sameAs(held.record, ownOf);
    if (ours.length === 0) return false;
    return keeperOf([held, ...ours, ...sameAs(held.record, foreignOf)]).conversationId === conversationId;
  });
  return { lost, taken };
}

/** Assigns a record to its conversation; without a name from a span, the trace is the conversation. */
export function heldBy(conversationId: string, record: CallRecord): HeldRecord {
  return { conversationId, isNamed: !record.key.startsWith(`${conversationId}:`), record };
}

type Index = ReadonlyMap<string, readonly HeldRecord[]>;

function index(records: readonly HeldRecord[]): Index {
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

function sameAs(record: CallRecord, records: Index): HeldRecord[] {
  const found = new Set(
    keysOfRecord(record).flatMap((key) =>
      (records.get(key) ?? []).filter((held) => isSameCall(record, held.record)).slice(0, MAX_TWIN_CANDIDATES),
    ),
  );
  return [...found];
}
