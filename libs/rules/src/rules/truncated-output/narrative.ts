import type { ConversationMessage } from '@clew/contracts';
import type { Narrative } from '../../rule.ts';

/** Kind of bad ending of an output. */
export type Ending = 'cut_off' | 'filtered' | 'empty' | 'unfinished';

interface EndingTexts {
  readonly evidenceTitle: string;
  readonly texts: Narrative;
}

/** Returns the texts of a Finding about an output that ended badly. */
export function narrativeOf(ending: Ending, agent: string, message: ConversationMessage): EndingTexts {
  const reason = message.finishReason === undefined ? '' : ` (finish reason ${message.finishReason})`;
  switch (ending) {
    case 'cut_off':
      return {
        evidenceTitle: 'Output that hit its limit',
        texts: {
          title: `Answers of ${agent} are cut off at the output limit`,
          summary: `The model stopped at its output limit${reason} after ${message.content.length} characters; the rest of the answer is missing.`,
          causeAssessment: 'The model reported that it stopped at its limit.',
          remediationHint: `Raise the output limit of ${agent}, ask for shorter answers, or continue automatically when the finish reason is the length.`,
        },
      };
    case 'filtered':
      return {
        evidenceTitle: 'Output that a filter stopped',
        texts: {
          title: `A content filter stops answers of ${agent}`,
          summary: `A content filter stopped the output${reason}; the user got ${message.content.trim() === '' ? 'nothing' : 'only a part'}.`,
          causeAssessment: 'The provider reported that its filter acted.',
          remediationHint: `Look at the filter settings of ${agent} for this kind of request, and give the user an answer of your own when the filter acts.`,
        },
      };
    case 'empty': {
      const failure =
        message.error === undefined
          ? ''
          : ` The model call had failed: ${message.error.message || message.error.type}.`;
      return {
        evidenceTitle: 'Empty output',
        texts: {
          title: `${agent} ends its turn with an empty message`,
          summary: `The user was waiting for an answer, and the message was empty${reason}.${failure}`,
          causeAssessment:
            message.error === undefined
              ? 'The model returned no text, and the empty message was passed on.'
              : 'The call of the model failed, and its empty result was passed on.',
          remediationHint: `Do not pass an empty message of ${agent} on: ask the model once more for an answer to the user, and tell the user when that fails.`,
        },
      };
    }
    case 'unfinished':
      return {
        evidenceTitle: 'Output that ends in the middle',
        texts: {
          title: `Answers of ${agent} end in the middle`,
          summary: `The text ends in the middle of a sentence, a code block or a JSON document${reason}.`,
          causeAssessment: 'The text breaks off, and no finish reason says why.',
          remediationHint: `Record the finish reason of ${agent}'s calls, check its output limit and that streams are read to their end.`,
        },
      };
  }
}
