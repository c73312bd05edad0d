import { randomInt } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { endAndAwaitSuccessor, processes, type Victim } from './support/chaos.ts';
import { expectAnalysedOnce, expectFindings, expectStoredOnce } from './support/crash-checks.ts';
import { inBatches, manySpans, partition } from './support/crash-load.ts';
import { sendUntilAcknowledged, type Acknowledged } from './support/persistent-sender.ts';
import { seededRandom } from './support/seeded-random.ts';
import { createTestProject } from './support/test-project.ts';

const SPAN_COUNT = Number(process.env['CLEW_CRASH_SPANS'] ?? 5_000);
const KILL_COUNT = Number(process.env['CLEW_CRASH_KILLS'] ?? 100);
/** Seed, which is printed: with it a failure can be repeated as far as the timing of the machine allows. */
const SEED = Number(process.env['CLEW_CRASH_SEED'] ?? randomInt(1, 2 ** 31));
/** Kills at a time: now and then both replicas of one service are down. */
const KILLERS = 2;
const TIMEOUT_MS = 3_600_000;

describe('kill -9 of any replica, two at once, while spans are sent', () => {
  it(
    'every acknowledged span is stored once, every snapshot analysed once, one occurrence per conversation',
    async () => {
      const several = processes().filter(({ instance }) => instance > 0);
      expect(several.length).toBeGreaterThan(0);
      const project = await createTestProject('replicas');
      const { spans, failingCount, conversationCount } = manySpans(SPAN_COUNT);
      const acknowledged: Acknowledged = new Set();
      const lanes = partition(partition(inBatches(spans), KILL_COUNT), KILLERS);
      const killed = new Killed();
      await Promise.all(
        lanes.map(async (parts) => {
          for (const part of parts) {
            await Promise.all([sendUntilAcknowledged(project.apiKey, part, acknowledged), killed.next()]);
          }
        }),
      );
      expect(acknowledged.size).toBe(spans.length);
      await expectStoredOnce(project, spans, acknowledged);
      await expectFindings(project, failingCount, conversationCount);
      await expectAnalysedOnce(project);
      const figures = { acknowledged: acknowledged.size, conversations: conversationCount, seed: SEED };
      process.stdout.write(`${JSON.stringify({ ...figures, killed: killed.counts })}\n`);
    },
    TIMEOUT_MS,
  );
});

/** Chooses the next victim, never a process that is already down. */
class Killed {
  readonly counts: Record<string, number> = {};
  readonly #away = new Set<string>();
  readonly #draw = seededRandom(SEED);

  async next(): Promise<void> {
    const victims: Victim[] = [
      ...processes().map(({ name, instance }) => ({ kind: 'app' as const, name, instance })),
      { kind: 'server', name: 'rabbitmq' },
    ];
    const free = victims.filter((victim) => !this.#away.has(keyOf(victim)));
    const victim = free[this.#draw(free.length)] as Victim;
    this.#away.add(keyOf(victim));
    await endAndAwaitSuccessor(victim, 'SIGKILL');
    this.#away.delete(keyOf(victim));
    this.counts[victim.name] = (this.counts[victim.name] ?? 0) + 1;
  }
}

function keyOf(victim: Victim): string {
  return victim.kind === 'server' ? victim.name : `${victim.name} ${victim.instance}`;
}
