import type { ConversationMessage } from '@clew/contracts';
import { compilePhrases, findPhrase } from '../text/phrases.ts';
import type { Sentence, Token } from '../text/sentences.ts';
import type { ConversationView } from '../view/conversation-view.ts';
import { isFunctionWord } from '../vocabulary/function-words.ts';

/** Sentence in which an agent claims that it did something. */
export interface Claim {
  readonly message: ConversationMessage;
  readonly position: number;
  readonly sentence: Sentence;
  /** Claimed action, as a word stem: `cancel`, `book`. */
  readonly verb: string;
  /** Word that claims it: `cancelled`. */
  readonly participle: string;
  /** Words that name the thing acted on. */
  readonly subject: readonly string[];
  /** Other content words, without the verb. */
  readonly object: readonly string[];
}

/**
 * Participles of actions that need a tool, by the stem of the verb. English, and the most common ones of other
 * languages.
 */
const ACTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cancel: 'cancelled canceled storniert annule annulee cancelado cancelada',
    book: 'booked rebooked reserved gebucht umgebucht reserviert reserve reservee reservado reservada',
    change:
      'changed modified updated edited adjusted altered corrected geandert aktualisiert modifie modifiee actualizado actualizada modificado modificada atualizado atualizada alterado alterada',
    add: 'added included applied attached hinzugefugt ajoute ajoutee anadido anadida agregado agregada adicionado adicionada',
    remove: 'removed deleted cleared entfernt geloscht supprime supprimee eliminado eliminada removido removida',
    create:
      'created opened registered filed logged generated angelegt erstellt eroffnet cree creee creado creada criado criada',
    send: 'sent emailed mailed forwarded delivered notified gesendet verschickt envoye envoyee enviado enviada',
    submit: 'submitted placed ordered purchased eingereicht bestellt soumis soumise',
    refund: 'refunded credited reimbursed erstattet rembourse remboursee reembolsado reembolsada',
    return:
      'returned exchanged replaced swapped zuruckgegeben umgetauscht echange echangee devuelto devuelta trocado trocada',
    schedule: 'scheduled rescheduled postponed moved verschoben',
    upgrade: 'upgraded downgraded',
    transfer: 'transferred escalated weitergeleitet transfere transferee transferido transferida',
    activate:
      'activated deactivated enabled disabled suspended resumed unlocked blocked reset restarted aktiviert deaktiviert zuruckgesetzt active activee activado activada ativado ativada',
    pay: 'paid charged bezahlt',
    deploy: 'deployed merged published released pushed uploaded saved installed stored',
  }).flatMap(([stem, forms]) => forms.split(' ').map((form) => [form, stem] as const)),
);

/** Verbs in the names of tools, by the action that an agent claims after using them. */
const TOOL_VERBS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cancel: 'cancel',
    book: 'book rebook reserve',
    change: 'change modify update edit adjust alter correct set patch put write rename',
    add: 'add include apply attach append insert',
    remove: 'remove delete clear drop',
    create: 'create open register file log generate new',
    send: 'send email mail forward deliver notify',
    submit: 'submit place order purchase buy',
    refund: 'refund credit reimburse',
    return: 'return exchange replace swap',
    schedule: 'schedule reschedule postpone move',
    upgrade: 'upgrade downgrade',
    transfer: 'transfer escalate',
    activate: 'activate deactivate enable disable suspend resume unlock block reset restart',
    pay: 'pay charge',
    deploy: 'deploy merge publish release push upload save install store',
  }).flatMap(([stem, verbs]) => verbs.split(' ').map((verb) => [verb, stem] as const)),
);

/** Returns the action that a tool does whose name holds the verb, in the form of `Claim.verb`; undefined if none. */
export function actionOfToolVerb(verb: string): string | undefined {
  return TOOL_VERBS.get(verb);
}

/** Auxiliaries such as `has been` and `I have`, which make a participle a claim of something just done. */
const PERFECT = compilePhrases([
  '(has|have) (now|just|also|already|successfully|) been',
  '(ive|i have|weve|we have) (now|just|also|already|successfully|gone ahead and|)',
  '(i|we) (just|now|successfully|went ahead and)',
  '(was|were) (just|now|successfully)',
  '(is|are) now',
  '(wurde|wurden|habe ich|ich habe|haben wir|wir haben)',
  '(a ete|ont ete|jai|nous avons)',
  '(ha sido|han sido|hemos|se ha|se han|foi|foram)',
]);
const CONDITION = compilePhrases([
  '(if|once|when|after|unless|until|before|as soon as|should|would|will|wenn|sobald|falls|si|quand|cuando|quando|se)',
]);
const NEGATION = compilePhrases([
  '(not|never|nothing|no|hasnt|havent|isnt|wasnt|cannot|cant|couldnt|nicht|kein|keine|pas|nao)',
]);

const MAX_GAP = 3;
const MAX_SUBJECT = 6;

/** Tells whether a sentence is a question or hypothetical, and so claims nothing. */
export function isConditional(sentence: Sentence): boolean {
  return sentence.isQuestion || findPhrase(CONDITION, sentence) !== undefined;
}

/** Finds the claims in an agent's message that something was done, except in questions, conditions and denials. */
export function claimsIn(view: ConversationView, message: ConversationMessage): Claim[] {
  if (message.role !== 'assistant') return [];
  return view.sentences(message).flatMap((sentence): Claim[] => {
    if (isConditional(sentence)) return [];
    const found = findPhrase(PERFECT, sentence);
    if (found === undefined || findPhrase(NEGATION, sentence) !== undefined) return [];
    const { tokens } = sentence;
    const perfectEnd = tokens.findIndex((token) => token.start >= found.end);
    if (perfectEnd === -1) return [];
    const at = tokens.findIndex(
      (token, index) => index >= perfectEnd && index <= perfectEnd + MAX_GAP && ACTS.has(token.text),
    );
    if (at === -1) return [];
    const before = tokens.slice(Math.max(0, found.tokenIndex - MAX_SUBJECT), found.tokenIndex);
    const after = tokens.slice(at + 1, at + 1 + MAX_SUBJECT);
    const contentOf = (words: readonly Token[]): string[] =>
      words.map(({ text }) => text).filter((word) => !isFunctionWord(word));
    const isPassive = contentOf(before).length > 0;
    return [
      {
        message,
        position: view.positionOf(message),
        sentence,
        verb: ACTS.get(tokens[at]?.text ?? '') ?? '',
        participle: tokens[at]?.text ?? '',
        subject: contentOf(isPassive ? before : after),
        object: isPassive ? contentOf(after) : [],
      },
    ];
  });
}
