import { z } from 'zod';

/** First parts of model names that are not providers. */
export const RESERVED_PROVIDER_NAMES = ['self', 'service'] as const;

/** Name of the project's chosen model, or the best available one if none is chosen. */
export const AUTO_MODEL = 'service/auto';

const PROVIDER = '[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?';
const PROVIDER_PATTERN = new RegExp(`^${PROVIDER}$`);
const PROVIDER_CHARACTERS = '1 to 63 of a-z, 0-9, dot, dash and underscore, a letter or digit first and last';
/** Pattern of a model name: the provider's part is free text, slashes included, but without invisible characters. */
const MODEL_NAME_PATTERN = new RegExp(`^${PROVIDER}/[^\\s\\u0000-\\u001f\\u007f-\\u009f]+$`);
const MAX_MODEL_NAME_LENGTH = 300;

export const ProviderName = z
  .string()
  .regex(PROVIDER_PATTERN, `must be ${PROVIDER_CHARACTERS}`)
  .refine((name) => !(RESERVED_PROVIDER_NAMES as readonly string[]).includes(name), 'is reserved')
  .meta({ example: 'openai' });

/** Name of a model in all places: `<provider>/<model_name>`, `self/<model_id>` or `service/auto`. */
export const ModelName = z
  .string()
  .max(MAX_MODEL_NAME_LENGTH)
  .regex(MODEL_NAME_PATTERN, { error: ({ input }) => whatIsWrong(String(input)) })
  .refine((name) => name.isWellFormed(), 'must be well-formed text')
  .meta({ example: 'openai/gpt-5-mini' });

function whatIsWrong(name: string): string {
  const slash = name.indexOf('/');
  if (slash === -1) return 'must be <provider>/<model_name>, self/<model_id> or service/auto';
  if (!PROVIDER_PATTERN.test(name.slice(0, slash)))
    return `must name a provider before the slash: ${PROVIDER_CHARACTERS}`;
  if (slash === name.length - 1) return 'must name a model after the slash';
  return 'must not hold white space or control characters';
}

/** Key of a model's provider among those of all projects; it begins with the project id and a slash. */
export function providerKeyOf(projectId: string, model: string): string {
  return `${projectId}/${model.slice(0, model.indexOf('/'))}`;
}
