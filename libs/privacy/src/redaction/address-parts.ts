/** Parts that may follow a street: the direction, the apartment, the city and the postcode, the country. */
const DIRECTION = /^ (?:NE|NW|SE|SW|[NSEW]|North|South|East|West)\b\.?/;
const UNIT =
  /^(?:,?\s{1,2}|,)(?:(?:apt|apartment|suite|ste|unit|flat|floor|fl|room|rm|bldg|building)\b\.? {0,2}#? ?|# ?)(?:[a-z]?\d{1,5}[a-z]?(?:-\d{1,4})?|[a-z]\d?)\b|^,?\s{1,2}\d{1,2}(?:st|nd|rd|th) floor\b/i;
const CITIES: readonly RegExp[] = [
  // Springfield, IL 62704 and Austin, Texas 78701
  /^(?:,\s{0,2}|\s{1,2})(?:\p{Lu}[\p{L}.'’-]{1,25},?\s{1,2}){0,4}(?:[A-Z]{2}|\p{Lu}\p{Ll}{3,15}),?\s{1,2}\d{5}(?:-\d{4})?(?!\d)/u,
  // London SW1A 2AA
  /^(?:,\s{0,2}|\s{1,2})(?:\p{Lu}[\p{L}.'’-]{1,25},?\s{1,2}){0,3}[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?![\p{L}\p{N}])/u,
  // Toronto, ON M5V 2T6
  /^(?:,\s{0,2}|\s{1,2})(?:\p{Lu}[\p{L}.'’-]{1,25},?\s{1,2}){0,4}[A-Z]\d[A-Z] ?\d[A-Z]\d(?![\p{L}\p{N}])/u,
  // 10115 Berlin, 1015 CJ Amsterdam and 75002 Paris
  /^(?:,?\s{1,2}|,)(?:in )?(?:[A-Z]{1,2}-)?\d{4,5}(?: [A-Z]{2})? \p{Lu}[\p{L}.-]{1,25}(?: (?:am|an der|im) \p{Lu}\p{L}{1,20})?(?![\p{L}\p{N}])/u,
  // 62704
  /^,?\s{1,2}\d{5}(?:-\d{4})?(?![\p{L}\p{N}]|[.,]\d)/u,
  // Springfield, Illinois and Springfield, IL
  /^,\s{1,2}\p{Lu}[\p{L}.'’-]{1,25}(?: \p{Lu}[\p{L}.'’-]{1,25}){0,2}(?:,\s{1,2}(?:[A-Z]{2}|\p{Lu}\p{Ll}{2,15}))?(?=[.,;!?)\n"]|\s{0,2}$)/u,
];
const COUNTRY = /^,\s{0,2}(?:USA|US|U\.S\.A\.|United States|UK|United Kingdom|Germany|Deutschland|France|Canada)\b/;
/** City in front of a street: 10115 Berlin, Lindenstraße 12. */
const CITY_BEFORE =
  /(?<![\p{L}\p{N}_.,-])(?:[A-Z]{1,2}-)?\d{5} \p{Lu}[\p{L}.-]{1,25}(?: (?:am|an der) \p{Lu}\p{L}{1,20})?,?\s{1,2}$/u;

/** Tells how many characters behind a street belong to its address. */
export function addressEnd(behind: string): number {
  let length = 0;
  for (const pattern of [DIRECTION, UNIT]) length += lengthOf(pattern, behind.slice(length));
  for (const pattern of CITIES) {
    const city = lengthOf(pattern, behind.slice(length));
    if (city > 0) return length + city + lengthOf(COUNTRY, behind.slice(length + city));
  }
  return length + lengthOf(COUNTRY, behind.slice(length));
}

/** Tells how many characters in front of a street are the postcode and the city. */
export function cityBefore(before: string): number {
  return lengthOf(CITY_BEFORE, before);
}

function lengthOf(pattern: RegExp, text: string): number {
  return pattern.exec(text)?.[0].length ?? 0;
}
