import type { FinishedCall } from '../recording/finished-call.ts';
import { costOf } from './cost.ts';
import { dayOf } from './usage.ts';

/** Amounts that calls add to one row of usage. */
export interface CountedRow {
  projectId: string;
  day: string;
  model: string;
  /** Id of the key, the person or the service that called. */
  key: string;
  calls: number;
  failedCalls: number;
  inputTokens: number;
  outputTokens: number;
  unpricedTokens: number;
  /** Cost by currency, in units of 10^-12. */
  costs: Map<string, bigint>;
}

export function usageRowKey({ projectId, day, model, key }: Omit<CountedRow, 'costs'>): string {
  return `${projectId}:${day}:${model}:${key}`;
}

/** Adds up calls by project, day, model and caller, with their cost. */
export function usageRowsOf(calls: readonly FinishedCall[]): CountedRow[] {
  const rows = new Map<string, CountedRow>();
  for (const call of calls) {
    const named = {
      ...{ projectId: call.projectId, day: dayOf(call.endedAtMs) },
      ...{ model: call.endpoint.name, key: call.principalId },
    };
    const none = { calls: 0, failedCalls: 0, inputTokens: 0, outputTokens: 0, unpricedTokens: 0 };
    const id = usageRowKey({ ...named, ...none });
    const row = rows.get(id) ?? { ...named, ...none, costs: new Map() };
    add(row, call);
    rows.set(id, row);
  }
  return [...rows.values()];
}

function add(row: CountedRow, { tokens, endpoint: { price }, error }: FinishedCall): void {
  row.calls += 1;
  row.failedCalls += error === undefined ? 0 : 1;
  row.inputTokens += tokens.inputTokens;
  row.outputTokens += tokens.outputTokens;
  if (price === undefined) row.unpricedTokens += tokens.inputTokens + tokens.outputTokens;
  else row.costs.set(price.currency, (row.costs.get(price.currency) ?? 0n) + costOf(price, tokens));
}
