import { setTimeout as sleep } from 'node:timers/promises';
import type { Question } from '@clew/review';
import { z } from 'zod';

/** Model of an OpenAI-compatible provider. */
export interface ProviderModel {
  /** Address that ends in `/v1`. */
  url: string;
  key?: string | undefined;
  model: string;
}

/** Asks for an answer of a shape. */
export type AskProvider = <Answer extends z.ZodType>(
  question: Omit<Question<Answer>, 'name'>,
) => Promise<z.infer<Answer>>;

const RETRY_MS = 5_000;
/** Time for an answer, which a person may write. */
const DEADLINE_MS = 4 * 3_600_000;
const ATTEMPTS = 3;

const Completion = z.looseObject({
  choices: z.array(z.looseObject({ message: z.looseObject({ content: z.string() }) })).min(1),
});

/** Asks a provider directly, until it answers; an answer of another shape is asked for again, and fails in the end. */
export function askProvider({ url, key, model }: ProviderModel): AskProvider {
  return async ({ schema, messages, maxTokens }) => {
    const deadlineMs = Date.now() + DEADLINE_MS;
    const responseFormat = { type: 'json_schema', json_schema: { name: 'answer', schema: z.toJSONSchema(schema) } };
    for (let failures = 0; ;) {
      const response = await post(`${url}/chat/completions`, key, {
        ...{ model, messages, response_format: responseFormat, max_tokens: maxTokens, temperature: 0 },
      });
      if (response?.ok === true) {
        const { choices } = Completion.parse(await response.json());
        const answer = schema.safeParse(jsonOf(choices[0]?.message.content ?? ''));
        if (answer.success) return answer.data;
        failures += 1;
        process.stderr.write(`an answer has another shape: ${z.prettifyError(answer.error)}\n`);
        if (failures >= ATTEMPTS) throw new Error(`${model} gave no valid answer`);
      } else if (Date.now() > deadlineMs) throw new Error(`${url} did not answer: ${response?.status}`);
      await sleep(RETRY_MS);
    }
  };
}

/** Sends a request; undefined if the connection is lost, or if nobody answers for minutes. */
async function post(url: string, key: string | undefined, body: object): Promise<Response | undefined> {
  const authorization: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization },
      body: JSON.stringify(body),
    });
  } catch {
    return undefined;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
