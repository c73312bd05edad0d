import { percentile, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

/** Output of the retention script of the warehouse about its turns. */
export interface Swept {
  turns: Turn[];
  first: Memory;
  removed: Record<string, Record<string, number>>;
}

interface Memory {
  rssMib: number;
  /** Resident memory after garbage collection: of the whole process, and the part outside of V8's accounting. */
  keptRssMib: number;
  outsideMib: number;
  /** Heap after garbage collection. */
  heapMib: number;
}

interface Turn extends Memory {
  mechanism: string;
  fromMs: number;
  toMs: number;
  batches: number;
  warehouseMs: number;
  mongoMs: number;
  mongoIdleShare: number;
}

export type Disk = Record<
  string,
  { documents: number; storageMib: number; storageFreeMib: number; indexMib: number; indexFreeMib: number }
>;

export interface Read {
  atMs: number;
  ms: number;
}

export interface Measured {
  spans: number;
  swept: Swept;
  reads: Read[];
  disk: { before: Disk; after: Disk; again: Disk };
}

const SHOWN = ['conversations', 'snapshots', 'trace_fragments', 'fragment_contents'];

export function figuresOf({ spans, swept: { turns, first, removed }, reads, disk }: Measured): Record<string, unknown> {
  const byMechanism = Object.fromEntries(
    [...Map.groupBy(turns, ({ mechanism }) => mechanism)].map(([name, own]) => [name, costOf(spans, own)]),
  );
  const memory = memoryOf(first, turns);
  const read = readsOf(reads, turns);
  printTable(
    ['', 'spans/s', 'batches', 'warehouse ms/1000', 'MongoDB ms/1000'],
    Object.entries({ ...byMechanism, together: costOf(spans, turns) }).map(([name, cost]) => [
      ...[name, cost.spansPerSecond, cost.batches],
      ...[cost.warehouseMsPer1000, cost.mongoMsPer1000],
    ]),
  );
  printTable(
    ['', 'before', 'after', 'of that free', 'filled again'],
    SHOWN.flatMap((name) => [
      [name, ...sizesOf(disk, name, 'storageMib', 'storageFreeMib')],
      [`${name}, indexes`, ...sizesOf(disk, name, 'indexMib', 'indexFreeMib')],
    ]),
  );
  return { spans, together: costOf(spans, turns), byMechanism, removed, memory, reads: read, disk };
}

function costOf(spans: number, turns: readonly Turn[]) {
  const sum = (of: (turn: Turn) => number) => turns.reduce((total, turn) => total + of(turn), 0);
  const ms = sum(({ fromMs, toMs }) => toMs - fromMs);
  // Work that MongoDB does for readers and by itself also goes on during the turns, so it is subtracted.
  const mongoMs = sum((turn) => turn.mongoMs - turn.mongoIdleShare * (turn.toMs - turn.fromMs));
  return {
    seconds: round(ms / 1_000, 1),
    spansPerSecond: Math.round(spans / (ms / 1_000)),
    batches: sum(({ batches }) => batches),
    warehouseMsPer1000: round(sum(({ warehouseMs }) => warehouseMs) / (spans / 1_000)),
    mongoMsPer1000: round(mongoMs / (spans / 1_000)),
  };
}

function memoryOf(first: Memory, turns: readonly Turn[]) {
  const at = (turn: Memory | undefined) =>
    turn && {
      ...{ rssMib: round(turn.rssMib, 1), rssAfterCollectionMib: round(turn.keptRssMib, 1) },
      ...{ heapAfterCollectionMib: round(turn.heapMib, 1), outsideOfNodeMib: round(turn.outsideMib, 1) },
    };
  const peakRssMib = round(Math.max(...turns.map(({ rssMib }) => rssMib)), 1);
  const [afterFirstTurn, middle, end] = [turns[0], turns[turns.length >> 1], turns.at(-1)].map(at);
  return { start: at(first), afterFirstTurn, middle, end, peakRssMib };
}

/** Reads that began during a turn, and those between turns. */
function readsOf(reads: readonly Read[], turns: readonly Turn[]) {
  const [from, to] = [turns[0]?.fromMs ?? 0, turns.at(-1)?.toMs ?? 0];
  const within = reads.filter(({ atMs }) => atMs >= from && atMs <= to);
  const isBeside = ({ atMs }: Read) => turns.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs);
  const [beside, alone] = [within.filter(isBeside), within.filter((read) => !isBeside(read))].map((some) => ({
    count: some.length,
    p50Ms: percentile(
      some.map(({ ms }) => ms),
      0.5,
    ),
    p95Ms: percentile(
      some.map(({ ms }) => ms),
      0.95,
    ),
  }));
  return { alone, beside, p95Ratio: round((beside?.p95Ms ?? 0) / (alone?.p95Ms ?? 1)) };
}

function sizesOf(
  { before, after, again }: Measured['disk'],
  name: string,
  size: 'storageMib' | 'indexMib',
  free: 'storageFreeMib' | 'indexFreeMib',
): number[] {
  return [before[name]?.[size], after[name]?.[size], after[name]?.[free], again[name]?.[size]].map((mib) =>
    round(mib ?? 0, 1),
  );
}
