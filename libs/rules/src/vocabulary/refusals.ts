import { compilePhrases } from '../text/phrases.ts';

/** Phrases with which an agent says that it cannot or will not do what was asked. */
export const REFUSED = compilePhrases([
  // English
  '(i|we) (am|are|m|re|) (sorry but i|sorry i|afraid i|) (cannot|cant|can not|am unable to|are unable to|am not able to|are not able to|wont|will not|am not allowed to|am not permitted to)',
  '(im|i am|were|we are) (unable|not able|not allowed|not permitted|not authorized) to',
  '(cannot|cant|can not|could not|couldnt) be (changed|modified|cancelled|canceled|refunded|removed|added|done|processed|updated|booked|made|provided|completed|reversed|exchanged|returned|fulfilled)',
  '(is|are|its|it is) (not|un) (possible|allowed|permitted|eligible|available|supported)',
  '(isnt|arent|not) (possible|allowed|permitted|eligible|available|supported)',
  '(do|does) not (allow|permit|support|offer)',
  '(doesnt|dont) (allow|permit|support|offer)',
  '(there is|theres) (nothing|no way|no option)',
  // German
  '(kann|konnen|darf|durfen) (ich|wir) (leider|ihnen|das|dir|es|hier|) (leider|nicht|kein|keine)',
  '(leider|bedauerlicherweise) … (nicht|kein|keine)',
  '(ist|sind) (leider|) nicht (moglich|erlaubt|verfugbar|zulassig)',
  // French
  '(je|nous) ne (peux|pouvons|suis|sommes) pas (en mesure|)',
  '(nest|nest) pas (possible|autorise|disponible|permis)',
  // Spanish
  'no (puedo|podemos|es posible|esta permitido|esta disponible|se puede)',
  // Portuguese
  'nao (posso|podemos|e possivel|e permitido|esta disponivel|consigo)',
]);

/** Refusals of a model that considers itself not allowed, or not able, to answer at all. */
export const MODEL_REFUSED = compilePhrases([
  '(im|i am) (sorry|afraid) (but|) … (cannot|cant|wont|will not|not able to|unable to) (help|assist|comply|provide|fulfill|engage|discuss|answer) (with|you with|) (that|this|it|such|your request)',
  '(i|we) (cannot|cant|wont|will not|must decline|have to decline) (help|assist|comply|fulfill|engage) (with|) (that|this|such|your) (request|)',
  'as (an|a) (ai|artificial intelligence|language model|large language model|assistant) … (cannot|cant|dont|not able|unable|do not)',
  '(it is|its|would be) (against|not in line with) (my|our) (guidelines|programming|principles)',
  '(goes|go|is) against (my|our) (guidelines|programming|principles|content policy|policies)',
  '(als|da ich) (ki|eine ki|ein ki|sprachmodell|ein sprachmodell) … (nicht|nichts|kein|keine)',
  '(en tant que|comme) (ia|intelligence artificielle|modele de langage) … pas',
  '(como|soy) (una|un|) (ia|inteligencia artificial|modelo de lenguaje) … no',
  '(como|sou) (uma|um|) (ia|inteligencia artificial|modelo de linguagem) … nao',
]);

/** Phrases of a tool or an agent saying that the state of a thing does not allow a change. */
export const STATE_FORBIDS = compilePhrases([
  '(cannot|cant|can not|could not|couldnt|may not|must not|unable to) … (be|) (changed|modified|cancelled|canceled|refunded|updated|removed|added|exchanged|returned|edited|deleted|moved|modify|change|cancel|update|exchange|return|edit|delete|process)',
  '(not|no longer|already|isnt|arent|wasnt) (allowed|possible|permitted|eligible|pending|open|active|available|editable|modifiable|modified|changed|cancelled|canceled|closed|completed|processed|shipped|delivered|used|submitted|finalized|locked|paid|refunded|exchanged|returned)',
  '(has|have) (already|just|now) been',
  '(non|invalid|wrong|unexpected) (pending|status|state)',
  '(is|are|was|were) (locked|final|closed|frozen|in a final state)',
  '(only|must be) … (pending|open|active|draft|unpaid|new) ',
  '(bereits|nicht mehr|gesperrt|abgeschlossen)',
  '(deja|ne peut plus|nest plus|verrouille)',
  '(ya (fue|ha sido|esta)|no se puede|bloqueado|cerrado)',
  '(ja (foi|esta)|nao pode|bloqueado|fechado)',
]);
