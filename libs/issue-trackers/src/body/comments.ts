import type { FindingVerification } from '@clew/contracts';
import type { RichText } from '../text/rich-text.ts';
import { moment, times } from './words.ts';

/** Comment on the issue of a Finding that counts as repaired: after how many exposures, and how sure that is. */
export function resolvedComment(
  { cleanExposures, recurrenceBound, since }: Pick<FindingVerification, 'cleanExposures' | 'recurrenceBound' | 'since'>,
  url: string,
): RichText {
  const bound = (100 * recurrenceBound).toFixed(1);
  return [
    {
      kind: 'paragraph',
      spans: [
        { text: 'Resolved.', style: 'strong' },
        ` ${times(cleanExposures, 'conversation')} since ${moment(since)} could have shown the problem, and none did. `,
        `With 95% confidence, it occurs in at most ${bound}% of such conversations. `,
        { text: 'Open the Finding in Clew', href: url },
      ],
    },
  ];
}

/** Comment on the issue of a Finding that occurred again after its repair. */
export function regressedComment(
  { conversationId, occurredAtMs }: { conversationId: string; occurredAtMs: number },
  url: string,
): RichText {
  return [
    {
      kind: 'paragraph',
      spans: [
        { text: 'Regressed.', style: 'strong' },
        ` The problem occurred again at ${moment(occurredAtMs)}, in the conversation `,
        { text: conversationId, style: 'code' },
        '. ',
        { text: 'Open the Finding in Clew', href: url },
      ],
    },
  ];
}
