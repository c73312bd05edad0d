import { inParts } from '@clew/kernel';
import { MAX_MESSAGE_BYTES } from '@clew/messaging';
import type { ConversationResult } from './evaluate.ts';

/** Size limit of a message in bytes: results are consumed a hundred at a time, so each must be small. */
const MAX_PART_BYTES = 1024 * 1024;
/** Bytes reserved in a message for everything but the detections: ids, and names that an application chose. */
const ENVELOPE_BYTES = 64 * 1024;

export interface PartLimits {
  maxPartBytes?: number;
  maxRuleBytes?: number;
}

/** Result, or a part of one, with its size in bytes as JSON. */
export interface SizedResult {
  result: ConversationResult;
  bytes: number;
}

/**
 * Splits the result of one conversation into as many parts as its size needs; each Rule is whole in one of them. A Rule
 * whose detections exceed the largest message is reported as failed: the broker would refuse that message at every
 * attempt, and the detections of the other Rules with it.
 */
export function resultParts(
  result: ConversationResult,
  ruleIds: readonly string[],
  limits: PartLimits = {},
): SizedResult[] {
  const { maxPartBytes = MAX_PART_BYTES, maxRuleBytes = MAX_MESSAGE_BYTES - ENVELOPE_BYTES } = limits;
  const whole = sized(result);
  if (whole.bytes <= maxPartBytes) return [whole];
  const rules = ruleIds.map((ruleId) => {
    const own = ofRules(result, new Set([ruleId]));
    return { ruleId, bytes: bytesOf(own.detections ?? []) };
  });
  const tooLarge = rules.filter(({ bytes }) => bytes > maxRuleBytes).map(({ ruleId }) => ruleId);
  const left = withFailed(result, new Set(tooLarge));
  const sizeOf = ({ bytes }: { bytes: number }) => (bytes > maxRuleBytes ? 0 : bytes);
  return inParts(rules, sizeOf, maxPartBytes).map((part, index) => {
    const own = part.map(({ ruleId }) => ruleId);
    const { diagnosis, ...ofPart } = ofRules(left, new Set(own));
    return sized({ ...ofPart, ...(index > 0 || diagnosis === undefined ? {} : { diagnosis }), ruleIds: own });
  });
}

/** Collects results until a message is full. */
export class ResultMessages {
  readonly #maxBytes: number;
  #results: ConversationResult[] = [];
  #bytes = 0;

  constructor(maxBytes = MAX_PART_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a result. If the current message has no room for it, returns the results of that message. */
  add({ result, bytes }: SizedResult): ConversationResult[] {
    const isFull = this.#results.length > 0 && this.#bytes + bytes > this.#maxBytes;
    const full = isFull ? this.rest() : [];
    this.#results.push(result);
    this.#bytes += bytes;
    return full;
  }

  /** Takes the results that were not returned yet. */
  rest(): ConversationResult[] {
    const results = this.#results;
    this.#results = [];
    this.#bytes = 0;
    return results;
  }
}

function ofRules(result: ConversationResult, ruleIds: ReadonlySet<string>): ConversationResult {
  const { detections, failed, skipped, ...rest } = result;
  const own = <Each extends { ruleId: string }>(name: string, all: readonly Each[] | undefined) => {
    const kept = all?.filter(({ ruleId }) => ruleIds.has(ruleId)) ?? [];
    return kept.length === 0 ? {} : { [name]: kept };
  };
  return { ...rest, ...own('detections', detections), ...own('failed', failed), ...own('skipped', skipped) };
}

function withFailed(result: ConversationResult, ruleIds: ReadonlySet<string>): ConversationResult {
  if (ruleIds.size === 0) return result;
  const failures = [...ruleIds].map((ruleId) => ({ ruleId, reason: 'The result is too large' }));
  return {
    ...result,
    detections: result.detections?.filter(({ ruleId }) => !ruleIds.has(ruleId)),
    failed: [...(result.failed ?? []), ...failures],
  };
}

function sized(result: ConversationResult): SizedResult {
  return { result, bytes: bytesOf(result) };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
