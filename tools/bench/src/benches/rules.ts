import { BUILT_IN_RULES, detectBrokenExpectations, diagnose, evaluateRule } from '@clew/rules';
import type { ConversationSnapshot } from '@clew/contracts';
import { TEN_EXPECTATIONS } from '../expectations/workload.ts';
import { createSnapshots } from '../rules/workload.ts';
import { readOptions } from '../support/options.ts';
import { median, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

const WARM_UP_ROUNDS = 2;

/**
 * Measures how many conversations per second one core judges: all built-in Rules, ten Expectations, the links between
 * steps, score and suspects. Each round parses each conversation again, as a worker does.
 */
export function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    conversations: { type: 'string', default: '400' },
    messages: { type: 'string', default: '30' },
    rounds: { type: 'string', default: '7' },
  });
  const count = Number(values.conversations);
  const messages = Number(values.messages);
  const perSecond: number[] = [];
  let detections = 0;
  for (let round_ = 0; round_ < WARM_UP_ROUNDS + Number(values.rounds); round_ += 1) {
    const snapshots = createSnapshots(count, messages);
    const seconds = processorTime();
    detections = snapshots.reduce((sum, snapshot) => sum + judge(snapshot), 0);
    if (round_ >= WARM_UP_ROUNDS) perSecond.push(count / seconds());
  }
  const conversationsPerSecond = round(median(perSecond), 0);
  const slowest = byRule(createSnapshots(count, messages)).slice(0, 8);
  printTable(
    ['rule', 'ms for a conversation'],
    slowest.map(({ ruleKey, ms }) => [ruleKey, round(ms, 3)]),
  );
  return Promise.resolve({
    conversationsPerSecond,
    lowest: round(Math.min(...perSecond), 0),
    rules: BUILT_IN_RULES.length,
    expectations: TEN_EXPECTATIONS.length,
    messages,
    conversations: count,
    detections,
  });
}

function judge(snapshot: ConversationSnapshot): number {
  const found = BUILT_IN_RULES.flatMap((rule) => evaluateRule(rule, snapshot, rule.defaultConfiguration));
  found.push(...detectBrokenExpectations(TEN_EXPECTATIONS, snapshot));
  return found.length + diagnose(snapshot, found).suspects.length;
}

/** Cost of each Rule; the first Rule that needs a part of the shared view pays for it. */
function byRule(snapshots: readonly ConversationSnapshot[]): { ruleKey: string; ms: number }[] {
  return BUILT_IN_RULES.map((rule) => {
    const seconds = processorTime();
    for (const snapshot of snapshots) evaluateRule(rule, snapshot, rule.defaultConfiguration);
    return { ruleKey: rule.ruleKey, ms: (1000 * seconds()) / snapshots.length };
  }).sort((left, right) => right.ms - left.ms);
}

/** Processor seconds since the call: they do not depend on other work of the machine. */
function processorTime(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000_000;
  };
}
