/** Complaints of users that they must say something again. */
export const REPETITION_COMPLAINED: readonly string[] = [
  // English
  '(i|ive|i have|we|weve) (just|literally|already|have already|just literally|did already) (told|gave|given|answered|sent|provided|said|mentioned|shared|explained|typed|wrote) (you|it|that|this|them|my|the|so|all|above|twice|earlier)',
  '(i|ive|i have) already (told|given|gave|answered|provided) (you|it|that)',
  '(you|youve) (just|already|keep|keeps) (asked|asking|ask) (me|that|for|this|the same)',
  '(you|you still|you havent|youve) (didnt|did not|havent|have not|not|never|keep not|arent|are not) (answered|answer|answering|addressed|address) (my|the|it|me|that|anything)',
  '(asking|asked|ask|told|telling|tell|said|repeating|repeat) (me|you|this|that|it|again|myself) … (second|third|fourth|fifth|2nd|3rd|4th) time',
  '(for the (second|third|fourth|fifth|2nd|3rd|4th|umpteenth|hundredth) time)',
  '(stop asking|quit asking|same question again|the same question|asked and answered)',
  '(i|id) (have to|had to|need to|keep|am|keep having to) (repeat|repeating) (myself|it|this|that)',
  '(that|this) (doesnt|does not|didnt|did not) answer (my|the) question',
  '(scroll up|see above|read (above|what i wrote|my (first|last|previous) message))',
  // German
  '(das|die|den|es|sie|ihn) (habe|hatte|hab) ich (ihnen|dir|) (doch|bereits|schon|gerade|eben|ja) (doch|bereits|schon|gerade|eben|) (gesagt|gegeben|genannt|geschrieben|mitgeteilt|beantwortet|angegeben|geschickt)',
  '(habe|hatte|hab) ich (ihnen|dir|) (doch|bereits|schon|gerade) (schon|bereits|eben|) (gesagt|gegeben|genannt|geschrieben|mitgeteilt|beantwortet|angegeben|geschickt)',
  '(zum (zweiten|dritten|vierten) mal|meine frage (ist|wurde|haben sie|hast du) … nicht)',
  // French
  '(jai|je vous ai|je te lai|je vous lai|je viens de) (deja|vous|le|) (deja|) (dit|donne|donner|donnee|repondu|ecrit|envoye|fourni|indique|dire)',
  '(pour la (deuxieme|troisieme|quatrieme) fois|vous (navez|nave) pas repondu|vous me lavez deja demande)',
  // Spanish
  '(ya) (te|le|se|os) (lo|la|) (dije|di|he dicho|he dado|envie|respondi|conteste|mencione|proporcione)',
  '(por (segunda|tercera|cuarta) vez|no (has|ha|me ha|me has) (respondido|contestado))',
  // Portuguese
  '(eu|) ja (te|lhe|o|) (disse|dei|falei|informei|respondi|enviei|passei)',
  '(pela (segunda|terceira|quarta) vez|voce nao respondeu)',
];

/** Phrases of complaints about somebody else. */
export const COMPLAINT_ABOUT_OTHERS: readonly string[] = [
  '(told|gave|sent|explained|provided|said|mentioned|answered|shared) (it|this|that|them|all this|) (to|) (my|your|the|a|another|someone|somebody|him|her|them|other|previous) (colleague|colleagues|agent|agents|rep|team|manager|boss|bank|doctor|support|department|person|hotel|airline|courier|driver|coworker)',
];

/** Polite openings and closings, which may come in every message. */
export const COURTESY: readonly string[] = [
  '(anything|something) (else|further|more|other)',
  '(help|assist|support) (you|with)',
  '(how are you|how can i|how may i|what can i|let me know|feel free|dont hesitate|reach out|any (other |further |more |)(questions|concerns|feedback))',
  '(sonst noch|noch etwas|weiterhelfen|behilflich|weitere fragen)',
  '(autre chose|vous aider|autres questions)',
  '(algo mas|ayudarle|ayudarte|puedo ayudar|en que puedo)',
  '(mais alguma coisa|algo mais|posso ajudar|ajudar em)',
];

/** Questions of procedure, which each new step asks again. */
export const PROCEDURAL_QUESTION: readonly string[] = [
  '(would|do|did|should|shall|may|can|could|will|want) (you|i|we|me) (also|still|now|) (like|want|prefer|wish|to|me|go|proceed|continue|confirm|book|cancel|change|try|check|make|do|send|create|apply|update|process|start|schedule|walk|show|explain|transfer|connect|add|keep)',
  '(proceed|go ahead|continue|confirm|sound good|sounds good|look good|make sense|clear now|work for you|works for you|right|correct|ok|okay|ready|happy with|thoughts|agree)',
  '(next|guess|move|turn|feel|feeling|happened|thinking)',
  '(what would you|what do you think|how about|what about|how does that|which (option|one|of these))',
  '(fortfahren|einverstanden|soll ich|mochten sie|kann ich)',
  '(souhaitez vous|voulez vous|puis je|continuer|confirmer)',
  '(desea|quiere|quieres|confirmar|continuar)',
  '(deseja|gostaria|quer que|confirmar|continuar)',
];

/** Plain answers to a question of procedure. */
export const PLAIN_DECISION: readonly string[] = [
  '(yes|yeah|yep|sure|no|nope|ok|okay|please do|go ahead|correct|confirmed|absolutely|of course)',
  '(ja|nein|gern|gerne|bitte|oui|non|daccord|si|no|claro|sim|nao|pode)',
];

/** First words of questions, for users who leave out the question mark. */
export const INTERROGATIVES: readonly string[] = [
  '(how|what|whats|when|where|wheres|why|who|which|can|could|do|does|did|is|are|will|would|should)',
  '(wie|was|wann|wo|warum|wieso|wer|welche|welcher|welches|kann|konnen|gibt|ist|sind|habe)',
  '(comment|quand|pourquoi|combien|est ce|quel|quelle|quels|quelles|qui|peut|puis)',
  '(como|que|cuando|donde|cuanto|cuantos|cuantas|cual|quien|puedo|puede|por que)',
  '(quando|onde|quanto|quantos|quantas|qual|quem|posso|pode)',
];

/** Phrases with which an agent asks for something without a question mark. */
export const REQUEST: readonly string[] = [
  '(please|kindly|could you|can you|would you|ill need|i will need|i need|i would need|id need|i still need|we need|ill have to ask|may i have|can i have|could i have|let me have|share|provide|tell me|send me|give me|enter)',
  '(bitte|konnen sie|konnten sie|ich brauche|ich benotige|nennen sie|teilen sie|geben sie)',
  '(veuillez|pouvez vous|pourriez vous|merci de|jai besoin|indiquez|donnez)',
  '(por favor|puede|podria|necesito|indiqueme|indique|proporcione|digame|dime|facilite)',
  '(preciso|pode|poderia|informe|forneca|me diga|me passe|qual e)',
];

/** Answers that give nothing, so that asking again is right. */
export const NO_ANSWER_GIVEN: readonly string[] = [
  '(dont|do not|didnt|did not|cant|cannot|couldnt|not|wont|no longer|never) … (have|know|remember|recall|find|sure|see|understand|access|handy|want|received|give|share|certain)',
  '(forgot|forgotten|lost|no idea|no clue|unsure|unknown|skip|rather not|prefer not|lost it|misplaced)',
  '(one (moment|second|sec|minute)|hold on|hang on|let me (check|look|see|find|get)|give me a|wait|ill (check|look|get|find|try)|be right back|brb)',
  '(why do you need|what for|what do you mean|where (can|do|is|would)|how do i find|which one|is that the|do you mean)',
  '(weiss|weiß|habe|finde|kenne|kann|moment|augenblick) … (nicht|nachsehen|bitte|kein|keine)',
  '(je ne|je nai|un instant|une seconde|aucune idee|je cherche)',
  '(no (tengo|se|recuerdo|encuentro|la tengo|lo tengo)|un momento|espere|ni idea)',
  '(nao (tenho|sei|lembro|encontro|encontrei)|um momento|um instante|espera|nem ideia)',
];

/** Reasons with which an agent asks again, or asks for something else of the same kind. */
export const REASON_TO_ASK_AGAIN: readonly string[] = [
  '(couldnt|could not|cant|cannot|unable|didnt|did not|doesnt|does not|not|no|wasnt|isnt|nothing|dont|havent|invalid|incorrect|error|failed|mismatch|unfortunately|issue|problem|trouble|expired|typo)',
  '(double check|doublecheck|check again|recheck|verify|re enter|reenter|retype|correct|full|complete|exact|different|another|other|new|next|second|third|additional|alternative|instead|more|specific|clarify|both|each|passenger|remaining|rest|besides|as well|also|again|once more|confirm|secondary|backup|traveler|guest)',
  '(nicht|kein|keine|ungultig|fehler|leider|prufen|uberpruf|erneut|noch einmal|andere|anderen|weitere|vollstandig|vollstandige)',
  '(pas|aucun|aucune|invalide|erreur|malheureusement|verifier|autre|nouveau|nouvelle|complet|complete)',
  '(ningun|ninguna|invalido|error|lamentablemente|verificar|verifique|revisar|otro|otra|nuevo|nueva|completo)',
  '(nenhum|nenhuma|nao|invalido|erro|infelizmente|verificar|verifique|conferir|outro|outra|novo|nova|completo)',
];

/** Words with which the user brings up something new, for which the same question must be asked again. */
export const NEW_MATTER: readonly string[] = [
  '(another|other|different|also|too|next|second|new|else|instead|additionally|one more|besides|as well|changed my mind|separate)',
  '(auch|noch|andere|anderen|anderes|ausserdem|weitere|stattdessen|zweite|neue)',
  '(aussi|autre|autres|egalement|nouveau|nouvelle|deuxieme|encore)',
  '(tambien|otro|otra|otros|ademas|nuevo|nueva|segundo|segunda)',
  '(tambem|outro|outra|outros|alem|novo|nova|segundo|segunda)',
];
