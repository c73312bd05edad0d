import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { evaluateKnowledgeOn } from '@clew/eval';
import { readSamples } from '@clew/seed';
import { allText, capableModel, dataBlocksOf, startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { runningStack } from './support/stack.ts';

interface Claim {
  /** Words that only the conversation with this claim contains. */
  where: string;
  messageIndex: number;
  quote: string;
  content?: string;
  kind?: string;
}

const RIGHT: readonly Claim[] = [
  { where: 'CK-2207', messageIndex: 5, quote: 'We never order dishes with peanuts.', kind: 'preference' },
  // The label says `correction` here.
  { where: 'DL-3071', messageIndex: 5, quote: 'The Hallen depot closes at 13:00 on Fridays.', kind: 'fact' },
  { where: 'carry over', messageIndex: 8, quote: 'Up to five unused days move to the next year.', kind: 'policy' },
  {
    ...{ where: 'carry over', messageIndex: 7, kind: 'policy' },
    quote: 'Up to five unused days move to the next year and expire on 31 March.',
    content: 'Unused days expire on 31 March.',
  },
];
const WRONG: readonly Claim[] = [
  { where: 'T-412', messageIndex: 8, quote: 'Task T-412 is with Jonas Pahl' },
  { where: 'dep-9917', messageIndex: 14, quote: 'catalog 4.12.0 is running on all pods in staging' },
  // The quote is that of a labelled statement, but the content misses part of it.
  {
    ...{ where: 'Ines Okafor', messageIndex: 3, content: 'Purchases need quotes.' },
    quote: 'Purchases above 1,000 euros need two quotes.',
  },
];
const REJECTED: readonly Claim[] = [
  { where: 'INV-2026-00990', messageIndex: 1, quote: 'Refunds arrive within nine days.' },
  { where: 'INV-2026-00990', messageIndex: 77, quote: 'Please refund invoice INV-2026-00990' },
  {
    where: 'trash',
    messageIndex: 6,
    quote: 'Notes stay in the trash for 30 days.',
    content: 'Notes stay for 45 days.',
  },
  { where: 'trash', messageIndex: 6, quote: 'Notes stay in the trash for 30 days.', kind: 'rumour' },
];

let provider: ScriptedProvider;

beforeAll(async () => {
  const reply = capableModel((request) => {
    const blocks = dataBlocksOf(request);
    if (!allText(request).includes('You collect what a team can learn')) {
      return {
        text: JSON.stringify({
          verdicts: blocks.map((_, index) => ({ statement: index + 1, follows: true, reason: 'none' })),
        }),
      };
    }
    const conversation = blocks.at(-1) ?? '';
    const items = [...RIGHT, ...WRONG, ...REJECTED]
      .filter(({ where }) => conversation.includes(where))
      .map(({ messageIndex, quote, content = quote, kind = 'fact' }) => ({
        ...{ title: content, content, kind, confidence: 0.9, authority: 'user_stated' },
        evidence: [{ messageIndex, quote }],
      }));
    return { text: JSON.stringify({ items }) };
  });
  provider = await startProvider({ models: ['wise'], reply });
});

afterAll(() => provider.stop());

describe('npm run eval -- knowledge', () => {
  it('prints the figures of a model whose answers are known', async () => {
    const figures = await evaluateKnowledgeOn(runningStack(), { model: 'loop/wise', providerUrl: provider.url });
    const samples = readSamples();
    const labels = samples.flatMap(({ conversation }) => conversation.teaches);
    const policies = labels.filter(({ kind }) => kind === 'policy');
    expect(figures).toMatchObject({
      ...{ model: 'loop/wise', conversations: samples.length, failed: 0 },
      ...{ accepted: 7, items: 7, superseded: 0, quotes: { of: 7, resolved: 7 } },
      rejected: { quote_not_found: 1, unknown_message: 1, not_supported: 1, malformed: 1 },
      precision: { right: 4, of: 7, share: 0.571, wilson: [0.25, 0.842] },
      recall: { found: 4, of: labels.length, share: Math.round((4 / labels.length) * 1000) / 1000 },
      sameKind: 3,
      byKind: { policy: { labels: policies.length, found: 2 }, preference: { found: 1 }, correction: { found: 1 } },
    });
    expect(figures.secondsAConversation).toBeGreaterThan(0);
  }, 300_000);
});
