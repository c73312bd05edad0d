import { ASKED_MODEL_ATTRIBUTE } from '@clew/contracts';
import { firstIdentifier, identifier, isRecord, parseJson, type JsonRecord } from './values.ts';

/** By what a record of a call says which call it is. */
export interface CallSigns {
  responseId?: string;
  /** The names of the model: as it was asked for, as the provider knows it, as the answer tells. */
  models: string[];
}

const RESPONSE_ID_KEYS = ['gen_ai.response.id', 'ai.response.id'];
/** Where instrumentations put the whole answer as JSON text. */
const OUTPUT_KEYS = ['output.value', 'traceloop.entity.output', 'langfuse.observation.output'];
/** What an answer of an API of models holds beside its id; other things have ids as well. */
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

/** Cheap enough to run on every call at ingest: of the content at most the answer is parsed. */
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
  // LangChain keeps what the API answered beside its own results.
  const metadata = [answer.llm_output, answer.response_metadata].find(isRecord);
  return metadata === undefined ? undefined : identifier(metadata.id);
}
