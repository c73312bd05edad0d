import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { afterReport, ALLOWANCE_MS, NOTHING_INGESTED, type IngestDay } from './ingest-day.ts';

const LIMIT = 1_000;
const NAMES = ['a', 'b', 'c'] as const;

type Step =
  | { kind: 'take'; name: (typeof NAMES)[number]; amount: number }
  | { kind: 'report'; name: (typeof NAMES)[number]; needed: number; wanted: number; isRepeated: boolean }
  | { kind: 'kill'; name: (typeof NAMES)[number] }
  | { kind: 'wait'; ms: number };

const names = fc.constantFrom(...NAMES);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('take' as const), name: names, amount: fc.nat(200) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        ...{ kind: fc.constant('report' as const), name: names },
        ...{ needed: fc.nat(300), wanted: fc.nat(400), isRepeated: fc.boolean() },
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), name: names }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(2 * ALLOWANCE_MS) }) },
  ),
  { maxLength: 80 },
);

/** Processes that obey their allowance, and report before it expires unless they are killed. */
class Model {
  day: IngestDay = NOTHING_INGESTED;
  accepted = 0;
  /** Accepted by processes that were killed before they told. */
  lost = 0;
  nowMs = 0;
  #lives = 0;
  readonly #processes = new Map<string, { id: string; counted: number; reported: number; mayReach: number }>();

  run(step: Step): void {
    if (step.kind === 'wait') {
      // A process that lives reports every second, long before its allowance ends.
      for (const name of NAMES) this.#report(name, 0, 0);
      this.nowMs += step.ms;
      for (const name of NAMES) this.#report(name, 0, 0);
      return;
    }
    const process = this.#of(step.name);
    if (step.kind === 'take') {
      if (process.counted + step.amount > process.mayReach) return;
      process.counted += step.amount;
      this.accepted += step.amount;
    }
    if (step.kind === 'kill') {
      this.lost += process.counted - process.reported;
      this.#processes.delete(step.name);
    }
    if (step.kind === 'report') {
      const before = { ...process };
      this.#report(step.name, step.needed, step.wanted);
      if (step.isRepeated) this.#report(step.name, step.needed, step.wanted);
      // A report that comes late, after a newer one, takes nothing back.
      this.#send(before.id, before.counted, 0, 0);
      this.#report(step.name, step.needed, step.wanted);
    }
  }

  #report(name: string, needed: number, wanted: number): void {
    const process = this.#of(name);
    process.mayReach = this.#send(process.id, process.counted, needed, wanted);
    process.reported = process.counted;
  }

  #send(id: string, counted: number, needed: number, wanted: number): number {
    const both = (amount: number) => ({ bytes: amount, records: amount });
    const report = { counted: both(counted), needed: both(needed), wanted: both(wanted) };
    const after = afterReport(this.day, id, report, { limit: both(LIMIT), nowMs: this.nowMs });
    this.day = after.day;
    expect(after.mayReach.bytes).toBe(after.mayReach.records);
    return after.mayReach.bytes ?? 0;
  }

  #of(name: string) {
    const held = this.#processes.get(name);
    if (held !== undefined) return held;
    this.#lives += 1;
    const begun = { id: `${name}${this.#lives}`, counted: 0, reported: 0, mayReach: 0 };
    this.#processes.set(name, begun);
    return begun;
  }
}

describe('the counts of several processes', () => {
  it('stay within the limit, and beyond it by no more than what killed processes had not told', () => {
    fc.assert(
      fc.property(steps, (run) => {
        const model = new Model();
        for (const step of run) {
          model.run(step);
          expect(model.accepted).toBeLessThanOrEqual(LIMIT + model.lost);
          expect(model.day.bytes).toBeLessThanOrEqual(model.accepted - model.lost);
        }
        for (const name of NAMES) model.run({ kind: 'report', name, needed: 0, wanted: 0, isRepeated: true });
        expect(model.day.bytes).toBe(model.accepted - model.lost);
        expect(model.day.records).toBe(model.day.bytes);
      }),
      { numRuns: 500 },
    );
  });

  it('leave everything to a process that is alone, and nothing that another holds', () => {
    const need = (day: IngestDay, replica: string, amount: number, counted = 0) =>
      afterReport(
        day,
        replica,
        {
          counted: { bytes: counted, records: counted },
          needed: { bytes: amount, records: amount },
          wanted: { bytes: 0, records: 0 },
        },
        { limit: { bytes: 10, records: null }, nowMs: 0 },
      );
    const first = need(NOTHING_INGESTED, 'a', 10);
    expect(first.mayReach).toEqual({ bytes: 10, records: null });
    expect(need(first.day, 'b', 1).mayReach.bytes).toBe(0);
    const told = need(first.day, 'a', 0, 4);
    expect(need(told.day, 'b', 10).mayReach.bytes).toBe(6);
  });
});
