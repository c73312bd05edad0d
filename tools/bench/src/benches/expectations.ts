import { detectBrokenExpectations, evaluateExpectation, readConversation } from '@clew/rules';
import { supportConversation, TEN_EXPECTATIONS } from '../expectations/workload.ts';
import { readOptions } from '../support/options.ts';
import { median, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

/**
 * Measures how many conversations of 30 messages one core checks per second against ten Expectations, one of each form:
 * all together, as the Rule runs them, and each alone. All conversations differ, so caches do not help.
 */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    conversations: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '5' },
  });
  const count = Number(values.conversations);
  const rounds = Number(values.rounds);
  const all = measure(count, rounds, (snapshot) => detectBrokenExpectations(TEN_EXPECTATIONS, snapshot).length);
  const extraction = measure(count, rounds, (snapshot) => readConversation(snapshot).calls.length);
  const single = TEN_EXPECTATIONS.map((expectation) => ({
    form: expectation.check.form,
    ...measure(count, rounds, (snapshot) => evaluateExpectation(expectation, snapshot).length),
  }));
  printTable(
    ['', 'conversations/s', 'microseconds each', 'found'],
    [
      ['ten Expectations', all.perSecond, all.microseconds, all.found],
      ['reading alone', extraction.perSecond, extraction.microseconds, ''],
      ...single.map((one) => [one.form, one.perSecond, one.microseconds, one.found]),
    ],
  );
  return {
    messages: supportConversation(0).messages.length,
    perSecond: all.perSecond,
    broken: all.found,
    forms: single,
  };
}

type Snapshot = Parameters<typeof evaluateExpectation>[1];

/** Median of the rounds. The number of broken Expectations is printed, to expose a check that never finds anything. */
function measure(
  count: number,
  rounds: number,
  check: (snapshot: Snapshot) => number,
): { perSecond: number; microseconds: number; found: number } {
  let found = 0;
  const seconds = Array.from({ length: rounds }, (_, current) => {
    const snapshots = Array.from({ length: count }, (_, index) => supportConversation(current * count + index));
    found = 0;
    // Processor time does not depend on other work of the machine.
    const before = process.cpuUsage();
    for (const snapshot of snapshots) found += check(snapshot);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000_000;
  });
  const perSecond = count / median(seconds);
  return { perSecond: Math.round(perSecond), microseconds: round(1_000_000 / perSecond), found };
}
