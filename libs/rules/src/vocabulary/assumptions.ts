import { compilePhrases } from '../text/phrases.ts';

/** Phrases with which an agent says that it does not know and continues as if it did. */
const INVENTING: readonly string[] = [
  '(lets|let us|ill|i will|we will|well|we can|i can) (now|just|simply|then|also|instead|) (assume|suppose|presume|simulate|pretend|invent|make up)',
  '(hypothetical|fictional|fictitious|made up|simulated|mock|dummy|placeholder|invented|sample|illustrative) (data|values|value|numbers|number|figures|figure|results|result|list|names|prices|content|records|response|information|entries)',
  '(for (illustration|illustrative purposes|example purposes|demonstration|demonstration purposes|the sake of (example|argument|demonstration)))',
  '(nehmen wir an|angenommen|erfundene|fiktive|beispieldaten|platzhalter)',
  '(supposons|imaginons|donnees fictives|a titre dexemple)',
  '(supongamos|datos ficticios|datos de ejemplo|suponhamos|dados ficticios|dados de exemplo)',
];

/** Phrases with which an agent admits that it continues with data that are not real. */
export const DATA_INVENTED = compilePhrases(INVENTING);

/** Phrases of an agent that assumes something, or is not sure. */
export const ASSUMED = compilePhrases([
  ...INVENTING,
  '(assume|assuming|assumed|assumption|assumptions|presume|presumably|suppose|supposing|hypothetical|hypothetically)',
  '(placeholder|simulate|simulated|simulation|for simplicity|made up|mock|dummy|illustrative|for (illustration|example purposes))',
  '(probably|likely|approximately|roughly|guess|estimate|estimated|typically|generally|usually|i believe|should be)',
  '(manually|from memory|general knowledge|known to|based on (my|general|common|available) (knowledge|understanding|information))',
  '(vermutlich|wahrscheinlich|ungefahr|schatzungsweise|normalerweise|meines wissens)',
  '(probablement|sans doute|environ|generalement|a ma connaissance)',
  '(probablemente|aproximadamente|normalmente|generalmente|segun mi conocimiento|provavelmente|geralmente)',
]);
