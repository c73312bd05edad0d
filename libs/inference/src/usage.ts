/** Cost of calls, as reported by their provider. */
export interface Usage {
  calls: number;
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
}

export const NO_USAGE: Usage = { calls: 0, promptTokens: 0, completionTokens: 0, totalTokens: 0 };

/** Reads the usage of one answer; without a report it counts as a call without tokens. */
export function usageOf(body: unknown): Usage {
  const { usage } = (body ?? {}) as { usage?: Record<string, unknown> | null };
  const tokens = (name: string) => {
    const value = usage?.[name];
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
  };
  const [promptTokens, completionTokens] = [tokens('prompt_tokens'), tokens('completion_tokens')];
  const totalTokens = Math.max(tokens('total_tokens'), promptTokens + completionTokens);
  return { calls: 1, promptTokens, completionTokens, totalTokens };
}

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    calls: left.calls + right.calls,
    promptTokens: left.promptTokens + right.promptTokens,
    completionTokens: left.completionTokens + right.completionTokens,
    totalTokens: left.totalTokens + right.totalTokens,
  };
}
