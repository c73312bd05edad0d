import type { z } from 'zod';
import { MAX_JSON_DEPTH, parseStrictly } from '@clew/kernel';

export type JsonCheck<Value> = { ok: true; value: Value } | { ok: false; problem: string };

const MAX_PROBLEMS = 10;

/**
 * Checks whether an answer is JSON that fits a schema; if not, describes the problem in words that a model can act on.
 * The whole answer must be that JSON: it is not searched for JSON, because a part found in a text may be a quotation.
 */
export function checkJsonAnswer<Schema extends z.ZodType>(text: string, schema: Schema): JsonCheck<z.output<Schema>> {
  const parsed = parseStrictly(withoutFence(withoutThoughts(text)), { maxDepth: MAX_JSON_DEPTH });
  if ('problems' in parsed) {
    const [{ path, message }] = parsed.problems;
    return { ok: false, problem: parsed.isJson ? `${path}: ${message}` : 'It is not valid JSON.' };
  }
  const result = schema.safeParse(parsed.value);
  if (result.success) return { ok: true, value: result.data };
  const problems = result.error.issues
    .slice(0, MAX_PROBLEMS)
    .map((issue) => `- ${issue.path.length === 0 ? 'the whole' : issue.path.join('.')}: ${issue.message}`);
  return { ok: false, problem: ['It does not fit the schema:', ...problems].join('\n') };
}

const THOUGHTS_END = '</think>';

/** Removes the thoughts that some models write before they answer. */
function withoutThoughts(text: string): string {
  if (!text.trimStart().startsWith('<think>')) return text;
  const end = text.indexOf(THOUGHTS_END);
  return end === -1 ? text : text.slice(end + THOUGHTS_END.length);
}

/** Removes the Markdown code block in which models with a poor JSON mode wrap their JSON. */
function withoutFence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('```') || !trimmed.endsWith('```')) return text;
  const start = trimmed.indexOf('\n');
  const isFence = start !== -1 && ['', 'json'].includes(trimmed.slice(3, start).trim().toLowerCase());
  return isFence ? trimmed.slice(start + 1, -3) : text;
}
