import { compilePhrases } from '../text/phrases.ts';

/** Phrases with which a user shows anger or despair about the conversation. */
export const FRUSTRATED = compilePhrases([
  // English
  '(this is|thats|that is|its|it is|how|so|really|absolutely|totally|completely|just|truly|beyond|getting|very) (ridiculous|unacceptable|frustrating|infuriating|outrageous|annoying|absurd|pathetic|useless|hopeless|a joke|a waste of (my|) time|insane|terrible|awful|horrible|maddening|exhausting)',
  '(im|i am|ive been|im getting|i am getting|im really|im so|im very|i am very|i am so|i am really) (frustrated|annoyed|angry|furious|upset|fed up|sick of|tired of|losing (my|) patience|done with|disappointed|appalled|livid)',
  '(wast(e|ing)|wasted|waste) (of|) (my|our|so much) time',
  '(what the (hell|heck|fuck)|wtf|for gods sake|are you kidding|you must be kidding|you have got to be kidding|youve got to be kidding)',
  '(worst|terrible|awful|horrible|pathetic|lousy) (service|support|experience|bot|assistant|help)',
  '(you are|youre|this (bot|thing|assistant|ai|chat) is|this is) (useless|no help|not helping|of no help|not helpful|unhelpful|worthless|incompetent)',
  '(youre|you are|you) (not|never|dont) (helping|listening|listen|help|making sense|paying attention)',
  '(how (many|much) (more|) times|how (hard|difficult) (can|is) (it|that|this)|why is this so (hard|difficult|complicated))',
  '(never|not) (use|using|order|buy|book|come|coming) (this|you|from you|here|with you) again',
  // German
  '(das ist|ist ja|so) (ja|doch|wirklich|echt|einfach|) (lacherlich|unverschamt|frustrierend|nervig|eine frechheit|unmoglich|unfassbar|argerlich|katastrophal|nutzlos)',
  '(ich bin) (genervt|sauer|frustriert|wutend|verargert|enttauscht)',
  '(zeitverschwendung|es reicht|mir reichts|reicht mir|schnauze voll)',
  // French
  '(cest|ce service est) (vraiment|) (ridicule|inadmissible|inacceptable|frustrant|enervant|penible|nul|scandaleux|nimporte quoi|insupportable)',
  '(jen ai (marre|assez)|perte de temps|ras le bol|vous vous moquez)',
  // Spanish
  '(esto es|es|que) (ridiculo|inaceptable|frustrante|indignante|una verguenza|absurdo|una perdida de tiempo|el colmo)',
  '(estoy) (harto|harta|frustrado|frustrada|enojado|enojada|cansado|cansada) (de|)',
  // Portuguese
  '(isso e|isto e|que) (ridiculo|inaceitavel|frustrante|um absurdo|uma vergonha|perda de tempo)',
  '(estou) (farto|farta|frustrado|frustrada|irritado|irritada|cansado|cansada)',
]);

/** Phrases of a user who gives up without having got the requested result. */
export const GIVEN_UP = compilePhrases([
  '(forget it|never mind then|nevermind then|i give up|im giving up|i am giving up|im done here|im out|dont bother|ill do it myself|i will do it myself|this isnt going anywhere|this is going nowhere|going in circles|going around in circles)',
  '(ill|i will) (just|) (call|phone|go|try|take my business|look) (somewhere|someone|elsewhere|to (a|another) competitor|customer service instead)',
  '(vergessen sie es|vergiss es|ich gebe auf|lassen wir das|dann eben nicht)',
  '(laissez tomber|laisse tomber|jabandonne|tant pis)',
  '(olvidalo|olvidelo|me rindo|dejalo|dejelo)',
  '(esquece|esqueca|desisto|deixa pra la|deixe pra la)',
]);

/** Phrases of a user who wants somebody else to take over. */
export const PERSON_WANTED = compilePhrases([
  '(speak|talk|chat|connect|transfer|escalate|pass) (me |) (to|with) (a|an|your|the|some|another|real|) (real|actual|live|human|) (human|person|agent|representative|rep|supervisor|manager|someone|somebody|operator)',
  '(real|actual|live|human) (person|agent|human|representative|being)',
  '(supervisor|manager) (please|now|)',
  '(mit einem|einen) (menschen|mitarbeiter|berater|vorgesetzten)',
  '(parler a|avec) (un|une) (humain|personne|conseiller|responsable|superviseur)',
  '(hablar con|con) (una|un) (persona|humano|agente|supervisor|representante)',
  '(falar com|com) (uma|um) (pessoa|humano|atendente|supervisor|gerente)',
]);
