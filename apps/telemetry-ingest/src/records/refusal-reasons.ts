import { MAX_RECORD_BYTES, MAX_RESOURCE_BYTES } from './limits.ts';

/** Reasons, given in the partial success, why a record or a part of one is not taken; the same for both encodings. */
export const REASON = {
  traceId: 'traceId is not valid',
  spanId: 'spanId is not valid',
  parentSpanId: 'parentSpanId is not valid',
  startTime: 'startTimeUnixNano is missing',
  notGenAi: 'only GenAI events are stored',
  noSpan: 'the event names no span',
  tooLarge: `larger than ${MAX_RECORD_BYTES} bytes`,
  resourceCut: `attributes of a resource beyond ${MAX_RESOURCE_BYTES} bytes were left out`,
  attributeLeftOut: 'an attribute of a resource was left out',
} as const;

/** Prefix of the names of events that are stored. */
export const GEN_AI_PREFIX = 'gen_ai.';
/** Attribute that held the event name before log records had a field for it. */
export const LEGACY_EVENT_NAME = 'event.name';
