import type { DayUsage } from '@clew/contracts';
import type { FinishedCall } from '../recording/finished-call.ts';

export type CountedUsage = DayUsage & { projectId: string };

export function dayOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

export function usageKey({ projectId, day, model, operation, origin }: CountedUsage): string {
  return `${projectId}:${day}:${model}:${operation}:${origin}`;
}

export type DayTokensKey = Pick<CountedUsage, 'projectId' | 'day' | 'origin'>;

export function dayTokensKey({ projectId, day, origin }: DayTokensKey): string {
  return `${projectId}:${day}:${origin}`;
}

/** Usage that calls add to their days. */
export function usageOf(calls: readonly FinishedCall[]): CountedUsage[] {
  const counted = new Map<string, CountedUsage>();
  for (const call of calls) {
    const { projectId, operation, origin, tokens } = call;
    const usage: CountedUsage = {
      ...{ projectId, operation, origin },
      day: dayOf(call.endedAtMs),
      model: call.endpoint.name,
      calls: 0,
      failedCalls: 0,
      inputTokens: 0,
      outputTokens: 0,
    };
    const key = usageKey(usage);
    const sum = counted.get(key) ?? usage;
    sum.calls += 1;
    sum.failedCalls += call.error === undefined ? 0 : 1;
    sum.inputTokens += tokens.inputTokens;
    sum.outputTokens += tokens.outputTokens;
    counted.set(key, sum);
  }
  return [...counted.values()];
}
