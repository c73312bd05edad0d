import type { z } from 'zod';
import { MAX_JSON_DEPTH, parseJsonText } from '@clew/http';

export type JsonCheck<Value> = { ok: true; value: Value } | { ok: false; problem: string };

const MAX_PROBLEMS = 10;

/** Whether an answer is JSON that a schema takes; if not, what is wrong with it, in words that a model can act on. */
export function checkJsonAnswer<Schema extends z.ZodType>(text: string, schema: Schema): JsonCheck<z.output<Schema>> {
  let parsed: unknown;
  try {
    parsed = parseJsonText(withoutFence(text), MAX_JSON_DEPTH);
  } catch {
    return { ok: false, problem: 'It is not valid JSON.' };
  }
  const result = schema.safeParse(parsed);
  if (result.success) return { ok: true, value: result.data };
  const problems = result.error.issues
    .slice(0, MAX_PROBLEMS)
    .map((issue) => `- ${issue.path.length === 0 ? 'the whole' : issue.path.join('.')}: ${issue.message}`);
  return { ok: false, problem: ['It does not fit the schema:', ...problems].join('\n') };
}

/** Models that have no JSON mode worth the name put their JSON into a block of Markdown. */
function withoutFence(text: string): string {
  return /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text;
}
