import { jsonText } from '../../conversation/tool-exchanges.ts';
import type { EvidenceDraft } from '../../rule.ts';
import { endQuoteOf, placedQuoteOf, shorten } from '../../text/quote.ts';
import type { RecordedCall, Utterance } from '../reading.ts';

/** Builds evidence for a call; the call's message often has no text to quote. */
export function callEvidence({ call, callMessage }: RecordedCall, title = `The call of ${call.name}`): EvidenceDraft {
  return {
    kind: 'tool_call',
    message: callMessage,
    title,
    summary: `${call.name}(${shorten(jsonText(call.arguments), 300)})`,
    quote: placedQuoteOf(callMessage.content),
  };
}

/** Builds evidence for an utterance, quoting its end, which contains the question or answer. */
export function saidEvidence({ message, speaker }: Utterance, title: string): EvidenceDraft {
  const quote = endQuoteOf(message.content);
  const who = speaker === 'user' ? 'The user' : 'The agent';
  return { kind: 'message', message, title, summary: `${who} said: ${quote?.quote ?? ''}`, quote };
}
