import type { ConversationMessage } from '@clew/contracts';
import { toolWords } from '../../expectations/tool-words.ts';
import { stemOf, stemsOf } from '../../expectations/stems.ts';
import { isEnglish } from '../../expectations/forms/agreement.ts';
import { compilePhrases, findPhrase } from '../../text/phrases.ts';
import type { Sentence } from '../../text/sentences.ts';
import type { ConversationView, ViewedCall } from '../../view/conversation-view.ts';

/** Sentence of a prompt that requires the user's agreement. */
export interface Requirement {
  readonly message: ConversationMessage;
  readonly sentence: Sentence;
}

const REQUIRED = compilePhrases([
  '(confirm|confirmation|confirmed|consent|approval|approve|agreement|permission|authorization|explicit (yes|ok)) … (before|prior|first|proceed|proceeding|to proceed)',
  '(before|prior to|without) … (confirm|confirmation|confirming|confirms|consent|approval|agreement|permission|authorization|asking|explicit)',
  '(ask|obtain|get|require|request|need|wait for|await) … (confirmation|consent|approval|agreement|permission|explicit)',
  '(bestatigung|zustimmung|einverstandnis|freigabe)',
  '(confirmation|accord|consentement) … (avant|prealable)',
  '(confirmacion|confirmacao|consentimiento|consentimento|aprobacion|aprovacao)',
]);
/** `Refunds may be made without approval` requires nothing, `may not be made without approval` does. */
const FREE = compilePhrases([
  '(may|can|could|allowed|free) … without',
  '(no|not|dont|doesnt|never) … (need|needs|require|requires|required|necessary) … (confirm|confirmation|consent|approval|agreement|permission)',
  '(no|without any|without further) (confirmation|consent|approval|agreement|permission) … (is|needed|required|necessary)',
]);
const NEGATIONS = new Set(['not', 'never', 'cannot', 'cant', 'no']);
/** Words with which an instruction refers to any change. */
const ANY_CHANGE = new Set(
  (
    'action actions change changes changing changed update updates updating modify modifies modifying modification ' +
    'consequential destructive irreversible write writes tool tools call calls anything everything any every proceed ' +
    'proceeding acting execute executing perform performing database record records'
  )
    .split(' ')
    .map(stemOf),
);

/** Finds the sentences of the prompts that require an agreement, in order. */
export function requirementsIn(view: ConversationView): Requirement[] {
  return view.messages.flatMap((message) =>
    message.role === 'system'
      ? view.sentences(message).flatMap((sentence) => (isRequirement(sentence) ? [{ message, sentence }] : []))
      : [],
  );
}

/** Finds the first requirement that applies to a call: it refers to any change, or to words of the tool's name. */
export function requirementFor(requirements: readonly Requirement[], call: ViewedCall): Requirement | undefined {
  if (requirements.length === 0) return undefined;
  const named = toolWords(call.toolName).map(stemOf);
  return requirements.find(({ sentence }) => {
    // Tools have English names, whatever the language of the prompt, so words are compared only in English.
    if (!isEnglish([sentence])) return true;
    const stems = stemsOf([sentence]);
    return [...stems].some((stem) => ANY_CHANGE.has(stem)) || named.some((stem) => stems.has(stem));
  });
}

function isRequirement(sentence: Sentence): boolean {
  if (findPhrase(REQUIRED, sentence) === undefined) return false;
  const free = findPhrase(FREE, sentence);
  if (free === undefined) return true;
  const [first] = sentence.tokens.slice(free.tokenIndex);
  const startsWithNo = NEGATIONS.has(first?.text ?? '') || first?.text === 'dont' || first?.text === 'doesnt';
  return !startsWithNo && sentence.tokens.some(({ text }) => NEGATIONS.has(text));
}
