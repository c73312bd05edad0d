/** Words that end an English street name, with their short forms. */
const SUFFIXES: ReadonlyMap<string, string> = new Map(
  [
    'street st str',
    'avenue ave av',
    'road rd',
    'boulevard blvd',
    'lane ln',
    'drive dr',
    'way',
    'court ct',
    'place pl',
    'square sq',
    'terrace ter',
    'parkway pkwy',
    'circle cir',
    'highway hwy',
    'trail trl',
    'crescent cres',
    'alley',
    'mews',
    'gardens gdns',
    'plaza',
    'esplanade',
  ].flatMap((line) => {
    const [long = '', ...short] = line.split(' ');
    return [long, ...short].map((word): [string, string] => [word, long]);
  }),
);
/** Suffixes that say street also where nothing begins with a capital letter. */
const CLEAR_SUFFIXES: ReadonlySet<string> = new Set(['street', 'avenue', 'road', 'boulevard', 'lane', 'drive']);
/** Words that stand between a number and a word like Drive or Way where that is no street. */
const NO_STREET: ReadonlySet<string> = new Set(
  `a an the this that these those my your our his her their its in on at to of by from for with and or per down up
  across along is are was were has have been there here not no new old more most other another each every one two
  hard flash usb thumb disk pen tape ssd hdd external google test sata nvme wheel inch inches day days week weeks month
  months year years hour hours minute minutes min mins second seconds night nights mile miles meter meters metre metres
  km m cm mm kg lb lbs oz ml gb tb mb kb hp cc pair pairs pack packs piece pieces set sets star stars speed item items
  people guests passengers persons bags tickets times percent dollars euros usd eur am pm x way lane level series
  edition gen generation model version street road place avenue points users cars trains blocks steps million thousand
  easy best great different possible only single double`.split(/\s+/),
);
/** Words behind Street or Road that make a product or a journey of it. */
const NO_STREET_BEHIND =
  /^ (?:trips?|food|bikes?|bicycles?|fighter|wear|shoes?|sneakers?|tours?|warrior|runner|legal|style|view|art|party|race|racing|movie|film|bays?|motor|motors|letters?|enclosures?|mats?|settings?|cards?|tacos?|lamps?|lights?|jacket|maps?|analysts?|traders?|banks?|firms?)(?!\p{L})/iu;

/** Long form of a word that ends a street name, as in St for Street. */
export function streetSuffixOf(word: string): string | undefined {
  return SUFFIXES.get(word.toLowerCase());
}

/** Tells whether words and a suffix name a street: Elm St, elm street, 5th Ave; not: hard drive. */
export function isStreetName(words: readonly string[], suffix: string, behind: string): boolean {
  if (words.length === 0 || words.some((word) => NO_STREET.has(word.toLowerCase()))) return false;
  if (NO_STREET_BEHIND.test(behind)) return false;
  return words.every((word) => /^[\p{Lu}\d]/u.test(word)) || (words.length <= 3 && CLEAR_SUFFIXES.has(suffix));
}

const EUROPEAN_SUFFIX =
  /(?:stra(?:ß{1,20}|ss)e|str\.?|weg|allee|gasse|platz|damm|chaussee|ufer|gracht|straat|laan|plein|stieg|ring)$/iu;
/** Words with such an end that are no streets. */
const NO_EUROPEAN_STREET =
  /(?:sitz|steh|stell|park|arbeits|spiel|camping|lager|speicher|start|marktp|heim|rück|hin|um|fuß|mittel|schul|lebens|aus)(?:platz|weg)$|^(?:.{1,40}[bcdefghlnpt])?(?:ring)$|^(?:nor|gleich|hin|über|durch)weg$/iu;
const RING_STREET = /(?:stadt|alt|haupt|nord|süd|ost|west|innen|außen|markt|burg|schloss|wall|kaiser|ritter)ring$/iu;
const ALONE = /^(?:stra(?:ß{1,20}|ss)e|str\.?|weg|allee|gasse|platz|damm|chaussee|ufer|stieg|ring)$/iu;

/** Tells how a German or Dutch word in front of a number names a street: by itself, or with the word before it. */
export function europeanStreet(word: string): 'whole' | 'end' | undefined {
  if (!EUROPEAN_SUFFIX.test(word)) return undefined;
  if (ALONE.test(word)) return 'end';
  if (/^(?:.{1,40}-)?(?:str|ring)$/i.test(word) && word.length < 6) return undefined;
  if (/ring$/i.test(word)) return RING_STREET.test(word) ? 'whole' : undefined;
  return NO_EUROPEAN_STREET.test(word) ? undefined : 'whole';
}
