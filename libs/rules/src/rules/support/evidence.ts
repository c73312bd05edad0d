import type { ConversationMessage } from '@clew/contracts';
import { jsonText } from '../../conversation/tool-exchanges.ts';
import type { EvidenceDraft } from '../../rule.ts';
import { placedQuoteOf, shorten } from '../../text/quote.ts';
import type { ViewedCall } from '../../view/conversation-view.ts';

/** Range of a message's content. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Builds evidence for a message, with the part of it that shows the problem. */
export function messageEvidence(
  message: ConversationMessage,
  title: string,
  summary: string,
  range?: TextRange,
): EvidenceDraft {
  const quote = placedQuoteOf(message.content, range?.start, range?.end);
  return { kind: message.role === 'tool' ? 'tool_result' : 'message', message, title, summary, quote };
}

/** Builds evidence for a call. The arguments are not part of the message's content, so the summary contains them. */
export function callEvidence(call: ViewedCall, title = `The call of ${call.toolName}`): EvidenceDraft {
  return {
    kind: 'tool_call',
    message: call.callMessage,
    title,
    summary: `${call.toolName}(${shorten(jsonText(call.call.arguments), 300)})`,
    quote: undefined,
  };
}
