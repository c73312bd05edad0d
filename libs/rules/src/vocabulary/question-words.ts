import { normaliseWord } from '../text/sentences.ts';

/** Words of politeness around a question; they say nothing about its subject. */
export const POLITE_WORDS = set(
  'please provide share tell give send kindly need know enter sure happy help assist look looking process proceed find ' +
    'pull check get started begin great thank thanks certainly absolutely course bitte nennen teilen geben gern ' +
    'gerne danke veuillez indiquer donner merci proporcionar indicar gracias informar fornecer obrigado obrigada able like ' +
    'want first information details',
);

export type SlotKind = 'email' | 'number' | 'date' | 'name' | 'place';

const SLOT_WORDS: ReadonlyMap<string, SlotKind> = new Map<string, SlotKind>([
  ...slots('email', 'email mail correo courriel emailadresse'),
  ...slots(
    'number',
    'number numbers id ids code reference zip postal postcode pin phone tracking sku vin passport ssn iban nummer ' +
      'plz postleitzahl numero codigo telefono telefone pedido commande ' +
      'amount quantity budget age betrag menge',
  ),
  ...slots('date', 'date dates day birth birthday datum fecha nacimiento dob departure naissance nascimento'),
  ...slots('name', 'name nombre nom nome nachname vorname surname apellido'),
  ...slots('place', 'address city destination location origin adresse stadt direccion ciudad endereco cidade ville'),
]);

/** Last parts of German compounds: `Bestellnummer`, `Geburtsdatum`. */
const SLOT_SUFFIXES: readonly (readonly [string, SlotKind])[] = [
  ['mailadresse', 'email'],
  ['nummer', 'number'],
  ['datum', 'date'],
  ['adresse', 'place'],
  ['name', 'name'],
];
const MIN_COMPOUND_LENGTH = 7;

/** Returns the kind of answer that a word asks for, if any. */
export function slotKindOf(word: string): SlotKind | undefined {
  const known = SLOT_WORDS.get(word);
  if (known !== undefined || word.length < MIN_COMPOUND_LENGTH) return known;
  return SLOT_SUFFIXES.find(([suffix]) => word.endsWith(suffix))?.[1];
}

/** Words that name a day, for questions about a date. */
export const DAY_WORDS = set(
  'today tomorrow tonight yesterday monday tuesday wednesday thursday friday saturday sunday january february march april ' +
    'may june july august september october november december morgen heute montag dienstag mittwoch donnerstag freitag ' +
    'samstag sonntag demain lundi mardi mercredi jeudi vendredi samedi dimanche manana hoy lunes martes miercoles jueves ' +
    'viernes sabado domingo amanha hoje segunda terca quarta quinta sexta next this weekend',
);

function set(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(normaliseWord));
}

function slots(kind: SlotKind, words: string): [string, SlotKind][] {
  return words.split(' ').map((word) => [normaliseWord(word), kind]);
}
