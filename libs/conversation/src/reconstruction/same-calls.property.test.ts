import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assembleConversation } from './assemble-conversation.ts';
import { seenTwice } from './test-support/endpoint-records.ts';
import { repeatedAndShuffled, type Records } from './test-support/records.ts';
import { saidIn, saidInScript } from './test-support/said.ts';
import { encoding, script } from './test-support/scripts.ts';

const RUNS = 150;
/** First message of each script: a call without a recorded question can be identified only by its id. */
const beginning = { role: 'user' as const, content: 'Good morning.' };
const opened = script.map((conversation) => {
  const lead = conversation.messages.findIndex(({ role }) => role !== 'system');
  const messages = [...conversation.messages.slice(0, lead), beginning, ...conversation.messages.slice(lead)];
  return { ...conversation, messages };
});

function together(...records: readonly Records[]): Records {
  return { spans: records.flatMap(({ spans }) => spans), logs: records.flatMap(({ logs }) => logs) };
}

const clocks = fc.record({ idCount: fc.integer({ min: 1, max: 5 }), skewMs: fc.integer({ min: -2_000, max: 2_000 }) });

describe('a conversation that the application and the endpoint both recorded', () => {
  it.each([
    ['the ids of the answers', { hasIds: true, hasContent: true }],
    ['what was said', { hasIds: false, hasContent: true }],
  ])('is the application’s, each call counted once, joined by %s', (_by, records) => {
    fc.assert(
      fc.property(opened, encoding, clocks, fc.nat(), (conversation, options, clock, seed) => {
        // The endpoint always receives the whole history.
        const told = { ...options, history: 'full' as const };
        const { application, endpoint } = seenTwice(conversation, told, { ...records, ...clock });
        const alone = assembleConversation(application);
        const both = assembleConversation(repeatedAndShuffled(together(application, endpoint), seed));
        const { contentHash, usage, models, errorCount, agents } = alone;
        expect(both).toMatchObject({ contentHash, usage, models, errorCount, agents });
        expect(both.messages).toEqual(alone.messages);
      }),
      { numRuns: RUNS },
    );
  });

  it('says what the endpoint knows where the application recorded only that it called', () => {
    fc.assert(
      fc.property(opened, encoding, fc.nat(), (conversation, options, seed) => {
        const told = { ...options, history: 'full' as const, dialect: 'genai' as const, toolSpans: false };
        const records = { hasIds: true, hasContent: false, idCount: 999, skewMs: 0 };
        const { application, endpoint } = seenTwice(conversation, told, records);
        const both = assembleConversation(repeatedAndShuffled(together(application, endpoint), seed));
        const last = conversation.messages.findLastIndex(({ role }) => role === 'assistant');
        // Messages after the last answer went into a call that the endpoint does not know.
        expect(saidIn(both.messages)).toEqual(saidInScript(conversation).slice(0, last + 1));
        expect(both.usage).toEqual(assembleConversation(endpoint).usage);
        const traces = new Set(application.spans.map(({ traceId }) => traceId));
        expect(both.messages.filter(({ traceId }) => !traces.has(traceId))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});
