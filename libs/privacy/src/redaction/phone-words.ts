/** Words that say that a number is a phone number, with what may stand between them and the number. */
const NOUN =
  /(?<!\p{L})(?:(?:tele)?phones?|tel|telefon\p{L}{0,8}|handy\p{L}{0,8}|mobil\p{L}{0,8}|cell(?:phone|ular)?|fax|whatsapp|sms|hotline|landline|rufnummer|rückruf\p{L}{0,8}|festnetz|téléphone|portable|teléfono|móvil|celular|telefono|cellulare|callback|(?:my|your|his|her|their|our|meine|deine|ihre|seine) (?:new |neue )?(?:number|nummer))(?!\p{L})[^\d\n]{0,30}$/iu;
const VERB =
  /(?<!\p{L}|(?:tool|function|api|method) )(?:call|text|ring|reach|contact|dial)(?:ed|ing)?(?: (?:me|us|him|her|them|back|home)){0,2}(?: (?:at|on|under|via))?(?: (?:my|his|her|this|our))?(?: number)?\W{0,4}$/iu;
const GERMAN_VERB = /(?<!\p{L})(?:an)?(?:erreich|ruf|meld)\p{L}{0,6}[^\d\n]{0,40} (?:unter|an|auf)\W{0,4}$/iu;
const BEHIND =
  /^[\s,()"]{0,4}(?:is|ist|as|-)?\s?(?:my|the|your|his|her|meine?) (?:\p{L}{1,9} )?(?:phone|cell|mobile|number|handy|telefon)/iu;
/** Words that say that a number is something else. */
const OTHER =
  /(?<!\p{L})(?:order|invoice|tracking|shipment|parcel|sku|item|product|ref(?:erence)?|case|ticket|confirmation|reservation|booking|serial|model|part|isbn|ean|upc|imei|iccid|id|zip|postcode|plz|account|konto\p{L}{0,8}|policy|member(?:ship)?|customer|kunden\p{L}{0,8}|bestell\p{L}{0,8}|rechnungs\p{L}{0,8}|sendungs\p{L}{0,8}|artikel\p{L}{0,8}|flight|gate|version|build|port|amount|total|balance|price|date|transaction|payment|claim|job|user)s?(?:[ _-]?(?:number|nummer|nr|no|code|id))?\.?(?: is| was| ist| #)?\W{0,4}$/iu;

/** Signs around a number of what it is. */
export type PhoneSign = 'phone' | 'other' | 'none';

/** Reads the words right before and behind a number. */
export function phoneSignOf(before: string, behind: string): PhoneSign {
  const words = apart(before);
  if (OTHER.test(words)) return 'other';
  const isPhone = NOUN.test(words) || VERB.test(words) || GERMAN_VERB.test(words) || BEHIND.test(behind);
  return isPhone ? 'phone' : 'none';
}

/** Writes the words of names such as `homePhone` and `phone_number` apart. */
function apart(text: string): string {
  return text
    .replaceAll('iPhone', 'iphone')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ');
}
