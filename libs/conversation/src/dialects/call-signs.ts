import { ASKED_MODEL_ATTRIBUTE } from '@clew/contracts';
import { firstIdentifier, identifier, isRecord, parseJson, type JsonRecord } from './values.ts';

/** Fields by which a record of a call identifies the call. */
export interface CallSigns {
  responseId?: string;
  /** Names of the model: as requested, as known to the provider, as stated in the answer. */
  models: string[];
}

const RESPONSE_ID_KEYS = ['gen_ai.response.id', 'ai.response.id'];
/** Attributes in which instrumentations store the whole answer as JSON text. */
const OUTPUT_KEYS = ['output.value', 'traceloop.entity.output', 'langfuse.observation.output'];
/** Members of a model API's answer beside its id; without one of them, an id belongs to something else. */
const ANSWER_MEMBERS = ['choices', 'output', 'content', 'candidates'];
const MODEL_KEYS = [
  'gen_ai.request.model',
  'gen_ai.response.model',
  ASKED_MODEL_ATTRIBUTE,
  'llm.model_name',
  'llm.request.model_name',
  'ai.model.id',
  'ai.response.model',
  'langfuse.observation.model.name',
];

/**
 * Extracts the signs of a call. Cheap enough for every call at ingest: of the content, at most the answer is parsed.
 */
export function callSigns(attributes: JsonRecord): CallSigns {
  const responseId = firstIdentifier(attributes, RESPONSE_ID_KEYS) ?? idInOutput(attributes);
  const models = MODEL_KEYS.map((key) => identifier(attributes[key])).filter((name) => name !== undefined);
  return { ...(responseId === undefined ? {} : { responseId }), models: [...new Set(models)] };
}

function idInOutput(attributes: JsonRecord): string | undefined {
  for (const key of OUTPUT_KEYS) {
    const text = attributes[key];
    if (typeof text !== 'string' || !text.startsWith('{') || !text.includes('"id"')) continue;
    const answer = parseJson(text);
    const id = isRecord(answer) ? idOfAnswer(answer) : undefined;
    if (id !== undefined) return id;
  }
  return undefined;
}

function idOfAnswer(answer: JsonRecord): string | undefined {
  if (ANSWER_MEMBERS.some((member) => Array.isArray(answer[member]))) return identifier(answer.id);
  // LangChain keeps fields of the API's answer beside its own results.
  const metadata = [answer.llm_output, answer.response_metadata].find(isRecord);
  return metadata === undefined ? undefined : identifier(metadata.id);
}
