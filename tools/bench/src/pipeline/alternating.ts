import type { TemporaryStack } from '@clew/stack';
import { meanOf, round, varianceOf } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';
import { ratioBesidesUntouched, ratioOfLogs, totalOf } from './besides.ts';
import { createCollecting, setCollecting } from './collecting.ts';
import { load, type Awaited } from './load.ts';
import { createPipelineWorkload } from './workload.ts';

/** Order of four loads, which cancels what grows evenly: a store that fills, a machine that slows down. */
const ORDER = [false, true, true, false];

export interface Alternation {
  rounds: number;
  /** Conversations of each load. */
  conversations: number;
  awaited: Omit<Awaited, 'datasets'>;
}

/** Processor milliseconds of a conversation, by process, without and with a Dataset that collects. */
export interface Round {
  off: Record<string, number>;
  on: Record<string, number>;
}

/** Measures loads of one stack, with a Dataset that collects switched off and on in turns. */
export async function alternate(stack: TemporaryStack, { rounds, conversations, awaited }: Alternation) {
  const datasetId = await createCollecting(stack.stackFile);
  let loads = 0;
  const measure = async (isOn: boolean): Promise<Record<string, number>> => {
    await setCollecting(stack.stackFile, datasetId, isOn);
    const workload = createPipelineWorkload(conversations, `load-${(loads += 1)}`);
    const { used } = await load(stack, workload, { ...awaited, datasets: isOn ? 1 : 0 });
    return Object.fromEntries(Object.entries(used.processorMs).map(([name, ms]) => [name, ms / conversations]));
  };
  // A first round warms the processes up, and is not counted.
  const measured: Round[] = [];
  for (let at = 0; at <= rounds; at += 1) {
    const four: { isOn: boolean; used: Record<string, number> }[] = [];
    for (const isOn of ORDER) four.push({ isOn, used: await measure(isOn) });
    const meanOf = (wanted: boolean) => meanUsage(four.filter(({ isOn }) => isOn === wanted).map(({ used }) => used));
    if (at > 0) measured.push({ off: meanOf(false), on: meanOf(true) });
  }
  return measured;
}

/** Ratios of both, and the difference by process. */
export function ratioOf(rounds: readonly Round[]): Record<string, unknown> {
  const ratios = rounds.map(({ off, on }) => Math.log(totalOf(on) / totalOf(off)));
  const all = ratioOfLogs(meanOf(ratios), varianceOf(ratios) / ratios.length);
  const besidesUntouched = ratioBesidesUntouched(
    rounds.map((each) => each.off),
    rounds.map((each) => each.on),
  );
  const [off, on] = [meanUsage(rounds.map((each) => each.off)), meanUsage(rounds.map((each) => each.on))];
  printTable(
    ['process', 'cpu ms each without', 'with'],
    [['all', totalOf(off), totalOf(on)], ...Object.keys(off).map((name) => [name, off[name] ?? 0, on[name] ?? 0])].map(
      ([name, ...each]) => [String(name), ...each.map((ms) => String(round(Number(ms), 3)))],
    ),
  );
  return {
    ...{ rounds: rounds.length, ...all, besidesUntouched },
    ...{ ratios: ratios.map((each) => round(Math.exp(each), 3)), off, on },
  };
}

function meanUsage(all: readonly Record<string, number>[]): Record<string, number> {
  const names = Object.keys(all[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, meanOf(all.map((each) => each[name] ?? 0))]));
}
