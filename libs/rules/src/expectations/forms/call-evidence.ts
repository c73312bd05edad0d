import { jsonText } from '../../conversation/tool-exchanges.ts';
import type { EvidenceDraft } from '../../rule.ts';
import { endQuoteOf, quoteOf, shorten } from '../../text/quote.ts';
import type { RecordedCall, Utterance } from '../reading.ts';

/** A call as evidence; its message often has no words to quote. */
export function callEvidence({ call, callMessage }: RecordedCall, title = `The call of ${call.name}`): EvidenceDraft {
  return {
    kind: 'tool_call',
    message: callMessage,
    title,
    summary: `${call.name}(${shorten(jsonText(call.arguments), 300)})`,
    quote: quoteOf(callMessage.content),
  };
}

/** What somebody said, as evidence: the end of it, where questions and answers stand. */
export function saidEvidence({ message, speaker }: Utterance, title: string): EvidenceDraft {
  const quote = endQuoteOf(message.content);
  const who = speaker === 'user' ? 'The user' : 'The agent';
  return { kind: 'message', message, title, summary: `${who} said: ${quote ?? ''}`, quote };
}
