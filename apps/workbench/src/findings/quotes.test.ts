import { expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import { quotesOf } from './quotes.ts';

type Place = Api.Finding['diagnosticAnchor'];

const place = (stepIndex: number, ...quotes: Place['quotes']): Place => ({
  ...{ traceId: 't', spanId: 's', conversationId: 'c' },
  stepIndex,
  quotes,
});
const finding = (anchor: Place, ...evidence: Place[]) => ({
  diagnosticAnchor: anchor,
  evidence: evidence.map((location, at) => ({
    ...({ ref: String(at), kind: 'message', title: '', summary: '', url: null } as const),
    location: location as Api.Evidence['location'],
  })),
});

it('shows where a Finding shows first, and no words twice', () => {
  const anchor = place(3, { quote: 'refunded' }, { quote: 'twice', messageIndex: 5 });
  expect(quotesOf(finding(anchor, place(3, { quote: 'refunded' }), place(1, { quote: 'refunded' })))).toEqual({
    quotes: [
      { quote: 'refunded', stepIndex: 3 },
      { quote: 'twice', stepIndex: 5 },
      { quote: 'refunded', stepIndex: 1 },
    ],
    more: 0,
  });
});

it('shows a few, and says how many more there are', () => {
  const many = Array.from({ length: 9 }, (_, at) => ({ quote: `words ${at}` }));
  const { quotes, more } = quotesOf(finding(place(0, ...many)));
  expect([quotes.length, more]).toEqual([4, 5]);
});
