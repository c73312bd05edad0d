import { KNOWLEDGE_KINDS } from '@clew/contracts';
import { isTainted, lockQuote, mayFollow } from '@clew/knowledge';
import { BUILT_IN_RULES, evaluateRule } from '@clew/rules';
import { describe, expect, it } from '@jest/globals';
import { snapshotOfSample } from './test-support/snapshot-of-sample.ts';
import { readSamples } from './read-samples.ts';
import type { SampleConversation } from './sample-conversation.ts';

const samples = readSamples().map(({ conversation }) => conversation);
const byId = new Map(samples.map((sample) => [sample.id, sample]));

function detections(sample: SampleConversation) {
  const snapshot = snapshotOfSample(sample);
  return BUILT_IN_RULES.flatMap((rule) => evaluateRule(rule, snapshot, rule.defaultConfiguration));
}

function fingerprint(id: string, ruleKey: string): string | undefined {
  const sample = byId.get(id);
  return sample && detections(sample).find((detection) => detection.ruleKey === ruleKey)?.clusterFingerprint;
}

describe('the samples', () => {
  it('have ids of their own', () => {
    expect(byId.size).toBe(samples.length);
  });

  it.each(samples.map((sample) => [sample.id, sample] as const))(
    '%s: calls and results belong together',
    (_, sample) => {
      const offered = new Set(sample.tools.map((tool) => tool.name));
      const calls = new Map(
        sample.messages.flatMap((message) => (message.toolCalls ?? []).map((call) => [call.id, call.name])),
      );
      for (const name of calls.values()) expect(offered).toContain(name);
      for (const message of sample.messages.filter((candidate) => candidate.role === 'tool')) {
        expect(calls.get(message.toolCallId ?? '')).toBe(message.name);
      }
      const callCount = sample.messages.flatMap((message) => message.toolCalls ?? []).length;
      expect(calls.size).toBe(callCount);
    },
  );

  it('show five Rules at least four times each, and at least as many clean conversations as any Rule has', () => {
    const shown = new Set(samples.flatMap((sample) => sample.expectedFindings));
    const counts = [...shown].map(
      (ruleKey) => samples.filter((sample) => sample.expectedFindings.includes(ruleKey)).length,
    );
    expect(shown.size).toBeGreaterThanOrEqual(5);
    const clean = samples.filter((sample) => sample.expectedFindings.length === 0).length;
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(4);
    expect(clean).toBeGreaterThanOrEqual(18);
    expect(clean).toBeGreaterThanOrEqual(Math.max(...counts));
  });
});

describe('what the samples teach', () => {
  const teaching = samples.filter(({ teaches }) => teaches.length > 0);

  it.each(teaching.map((sample) => [sample.id, sample] as const))(
    '%s: each statement stands in the message that is named, and can be held to it',
    (_, sample) => {
      const { messages } = snapshotOfSample(sample);
      for (const { messageIndex, words, mentions } of sample.teaches.flatMap(({ said }) => said)) {
        const message = messages[messageIndex];
        const place = lockQuote(message?.content ?? '', words);
        expect({ words, place }).toEqual({ words, place: expect.anything() });
        if (message === undefined || place === undefined) continue;
        expect(isTainted(message, place)).toBe(false);
        expect(mayFollow(words, [{ text: words }])).toBe(true);
        // The message is checked, not the words: words from the middle of a sentence may lack its names.
        for (const mention of mentions) expect(message.content.toLowerCase()).toContain(mention.toLowerCase());
      }
    },
  );

  it('is of each kind; some teach several things, and many nothing', () => {
    const kinds = teaching.flatMap(({ teaches }) => teaches.map(({ kind }) => kind));
    expect(new Set(kinds)).toEqual(new Set(KNOWLEDGE_KINDS));
    expect(samples.filter(({ teaches }) => teaches.length > 1).length).toBeGreaterThanOrEqual(5);
    expect(samples.length - teaching.length).toBeGreaterThanOrEqual(20);
  });
});

describe('the built-in Rules find in each sample exactly what it shows', () => {
  it.each(samples.map((sample) => [sample.id, sample] as const))('%s', (_, sample) => {
    const found = detections(sample).map((detection) => detection.ruleKey);
    expect(found.sort()).toEqual([...sample.expectedFindings].sort());
  });
});

describe('the same problem in several conversations is one cluster', () => {
  it.each<readonly [string, readonly string[]]>([
    ['tool_error_unhandled', ['retail-address-timeout-1', 'retail-address-timeout-2', 'retail-address-timeout-3']],
    ['tool_error_unhandled', ['billing-refund-503-1', 'billing-refund-503-2']],
    ['tool_call_loop', ['coding-same-file-1', 'coding-same-file-2']],
    ['tool_call_loop', ['research-same-search', 'research-search-without-answer']],
    ['repeated_question', ['retail-order-number-again-1', 'retail-order-number-again-2']],
    ['truncated_or_empty_output', ['data-report-cut-1', 'data-report-cut-2']],
    ['user_correction', ['travel-not-what-i-asked-1', 'travel-not-what-i-asked-2']],
  ])('%s: %j', (ruleKey, ids) => {
    const fingerprints = ids.map((id) => fingerprint(id, ruleKey));
    expect(fingerprints[0]).toBeDefined();
    expect(new Set(fingerprints).size).toBe(1);
  });

  it('different problems are different clusters', () => {
    expect(fingerprint('retail-address-timeout-1', 'tool_error_unhandled')).not.toBe(
      fingerprint('billing-refund-503-1', 'tool_error_unhandled'),
    );
  });
});
