import { setTimeout as pause } from 'node:timers/promises';
import { endAndAwaitSuccessor, pidOf, processes, type Victim } from './chaos.ts';
import type { Draw } from './seeded-random.ts';

const KINDS = ['kill', 'stop', 'pause'] as const;
type Kind = (typeof KINDS)[number];

const SERVERS = ['mongod', 'rabbitmq'] as const;
/** Every n-th pause, on average, is longer than leases and heartbeats; the others are shorter. */
const LONG_PAUSE_EVERY = 8;
const LONG_PAUSE_MS = 25_000;
const SHORT_PAUSE_MS = 3_000;

/** Faults drawn from a seed: the same seed gives the same kinds and victims in the same order. */
export class Faults {
  readonly counts: Record<string, number> = {};
  readonly #draw: Draw;
  readonly #away = new Set<string>();

  constructor(draw: Draw) {
    this.#draw = draw;
  }

  /** Causes the next fault, and resolves once the victim or its successor is back. */
  async next(): Promise<void> {
    const kind = KINDS[this.#draw(KINDS.length)] as Kind;
    const free = victims().filter((victim) => !this.#away.has(keyOf(victim)));
    const victim = free[this.#draw(free.length)] as Victim;
    const pauseMs = this.#draw(LONG_PAUSE_EVERY) === 0 ? LONG_PAUSE_MS : this.#draw(SHORT_PAUSE_MS);
    this.#away.add(keyOf(victim));
    if (kind === 'pause') await suspend(victim, pauseMs);
    else await endAndAwaitSuccessor(victim, kind === 'kill' ? 'SIGKILL' : 'SIGTERM');
    this.#away.delete(keyOf(victim));
    const name = `${kind} ${victim.name}`;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}

function victims(): Victim[] {
  return [
    ...processes().map(({ name, instance }) => ({ kind: 'app' as const, name, instance })),
    ...SERVERS.map((name) => ({ kind: 'server' as const, name })),
  ];
}

function keyOf(victim: Victim): string {
  return victim.kind === 'server' ? victim.name : `${victim.name} ${victim.instance}`;
}

/** Stops a process with its children for a while: to the other processes it seems to hang. */
async function suspend(victim: Victim, forMs: number): Promise<void> {
  const group = -pidOf(victim);
  process.kill(group, 'SIGSTOP');
  try {
    await pause(forMs);
  } finally {
    process.kill(group, 'SIGCONT');
  }
}
