import { MAX_RECORD_BYTES, MAX_RESOURCE_BYTES } from './limits.ts';

/** Why a record, or a part of one, is not taken, as the partial success says it; the same for both encodings. */
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

/** The events that are stored have names that begin like this. */
export const GEN_AI_PREFIX = 'gen_ai.';
/** Before log records had an event name of their own, it was this attribute. */
export const LEGACY_EVENT_NAME = 'event.name';
