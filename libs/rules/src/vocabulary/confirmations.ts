import { compilePhrases } from '../text/phrases.ts';

/** Phrases with which a user confirms that an agent did what was wanted. */
export const CONFIRMED = compilePhrases([
  // English
  '(thank you|thanks|thankyou|thx|cheers|much appreciated|i appreciate|appreciate it|youve been|you have been) (so much|very much|a lot|again|for|that|it|) ',
  '(that|this|it|everything|all) (works|worked|did it|did the trick|solved it|solves it|fixed it|helps|helped|is perfect|is great|sounds good|sounds great|looks good|looks great|is exactly what) ',
  '(thats|thatll|that is|that will be|that would be) (all|it|everything|perfect|great|exactly|wonderful|fine|what i needed|what i wanted) ',
  '(perfect|great|awesome|excellent|wonderful|fantastic|brilliant|amazing|exactly what i (needed|wanted)|just what i (needed|wanted)|problem solved|all set|im happy with)',
  // German
  '(danke|dankeschon|vielen dank|besten dank|herzlichen dank|danke schon|danke sehr)',
  '(das|es) (funktioniert|hat geklappt|klappt|passt|hat geholfen|war alles|ist perfekt|ist super|ist genau was)',
  '(perfekt|super|prima|wunderbar|ausgezeichnet|grossartig|hat geklappt|alles klar|genau das)',
  // French
  '(merci|parfait|genial|excellent|super|cest tout|cest parfait|cest bon|ca marche|ca fonctionne|impeccable)',
  // Spanish
  '(gracias|perfecto|genial|excelente|estupendo|eso es todo|funciona|ya funciona|funciono|de maravilla)',
  // Portuguese
  '(obrigado|obrigada|perfeito|otimo|excelente|e tudo|funcionou|isso e tudo)',
]);

/** Phrases that take such a confirmation back, or thank for a wasted effort. */
export const CONFIRMED_WITH_DOUBT = compilePhrases([
  '(but|however|although|though|unfortunately|still|yet|except|instead|wrong|disappointed|disappointing|frustrating|anyway|for trying|for nothing)',
  '(not|isnt|dont|doesnt|didnt|cant|cannot|couldnt|wont|wasnt|no longer|never|hopefully|i hope) ',
  '(aber|jedoch|leider|trotzdem|nicht|kein|keine|falsch|schade|hoffentlich)',
  '(mais|cependant|malheureusement|dommage|pas|toujours pas|faux)',
  '(pero|aunque|desgraciadamente|lamentablemente|todavia no|mal|no)',
  '(mas|porem|infelizmente|nao|errado)',
]);
