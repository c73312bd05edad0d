/** Phrases with which a user corrects an agent, by the kind of mistake, in every known language. */

/** Corrections of a wrong statement or action of the agent. */
export const WRONG: readonly string[] = [
  // English
  '(thats|that is|this is|its|it is|thats just|you are|youre|your answer is|that answer is|that was) (still|just|simply|completely|totally|actually|also|definitely|) (wrong|incorrect|not correct|not right|not true|false|inaccurate|mistaken)',
  '(that|this|it) (isnt|wasnt|is not|was not) (right|correct|true|accurate|the case)',
  '(youre|you are|youve been|you were) (wrong|mistaken|making (that|this|things|it) up|confusing|mixing (up|them|it|that)|hallucinating)',
  '(you|youve|you have) (just|still|again|) (made|make) (a|an|the same|another) (mistake|error)',
  '(you|youve) (just|still|again|) (got|gotten|have|had|booked|told|gave|given|used|quoted|listed|calculated|looked up|picked|selected|chose|changed|cancelled|canceled|edited|deployed|entered|wrote) (me|up|it|that|) (the|my|a|) … wrong',
  '(thats|that is|those are|these are|it is|its) (still|) (the|a) wrong',
  '(no|nope|still|again) (the|) wrong (answer|one|city|order|date|account|person|file|airport|number|customer|patient|table|column|branch|booking|reservation|address|year|month)',
  '(wrong answer|wrong again)',
  '(doesnt|does not) (look|seem|sound) (right|correct|accurate)',
  '(theres|there is|you have|contains) (a|an) (mistake|error) in (your|the|that|this)',
  'your (answer|calculation|information|summary|translation|code|math|response|result|numbers|total|list|query|figures|dates) (is|are|was|were) (still|also|completely|) (wrong|incorrect|not correct|not right|off)',
  '(you) (gave|quoted|told|listed|calculated|showed|named|mentioned) (me|us|) … (is|was|are|were) (wrong|incorrect|not correct|not right)',
  '(no|nope) (thats|that is|its|it is|this is) (wrong|not|incorrect)',
  '(contradicts|contradicting) what you',
  '(i|we) (never|did not|didnt) (say|said|ask|asked|want|wanted|request|requested|order|book|authorize|agree|agreed|mention|mentioned) (that|this|for|you|to|it|any|a|an|the)',
  '(that|this|it) (does not|doesnt) (add up|match what|exist|work because)',
  // German
  '(das|es|dies|die antwort) (ist|stimmt|war) (leider|so|aber|doch|immer noch|einfach|) (falsch|nicht|nicht richtig|nicht korrekt|verkehrt)',
  '(sie|du) (haben|hast|liegen|liegst) (sich|dich|da|hier|mich|) … (geirrt|vertan|falsch|verwechselt)',
  '(stimmt (so|leider|aber|) nicht)',
  '(falsche|falscher|falsches|falschen) (antwort|auskunft|datum|adresse|bestellung|nummer|stadt|tag|produkt|flug)',
  // French
  '(cest|cela est|ceci est|votre reponse est) (toujours|encore|) (faux|fausse|incorrect|incorrecte|inexact|une erreur)',
  '(ce nest|nest) pas (ca|cela|exact|correct|juste|vrai|la bonne|le bon|bon)',
  '(vous|tu) (vous|t|te|tes|) … (trompe|trompez|trompes|fait erreur|faites erreur|melangez)',
  // Spanish
  '(eso|esto|esa respuesta|la respuesta) (es|esta|sigue|no es|no esta) (siendo|) (mal|incorrecto|incorrecta|equivocado|equivocada|falso|correcto|correcta|cierto|bien|asi|verdad)',
  '(se|te|usted se) (ha|has|) (equivocado|equivoco|equivocas|equivocaste|confundido|confundiste)',
  '(esta|estas) (equivocado|equivocada|mal|confundido|confundiendo)',
  // Portuguese
  '(isso|isto|essa resposta|a resposta) (esta|e|nao esta|nao e) (errado|errada|incorreto|incorreta|correto|correta|certo|certa|verdade)',
  '(voce) (se|) (esta|errou|enganou|confundiu) (errado|errada|enganado|)',
];

/** Corrections of a misunderstood request. */
export const MISUNDERSTOOD: readonly string[] = [
  // English
  '(thats|that is|this is|its|it is|thats really|that) (still|really|) (not|isnt|wasnt|is not|was not) (exactly|really|quite|at all|) what (i|we) (asked|meant|said|wanted|requested|need|was asking|am asking|ordered|told)',
  'not what (i|we) (asked|meant|said|wanted|requested|was asking|am asking|told|ordered)',
  '(you|youve) (have|completely|just|still|) (misunderstood|misunderstand|misread|misheard|missed (the|my) (point|question)|ignored (my|what|the))',
  '(you didnt|you did not|you havent|you have not|youre not|you are not) (read|listen|listening|reading|understand|understanding|follow|following|answering|address)',
  '(i|we) (asked|was asking|am asking|told you|requested) (you |) (for|to|about) … not',
  '(i) (asked|was asking) … (but you|and you|you) (gave|told|showed|sent|answered|did|used|returned|listed|wrote|changed)',
  // German
  '(das|es) (ist|war|habe) (ich|) (aber|doch|) nicht (das|was|danach|so|) (was|wonach|) (ich|gefragt|gemeint|gesagt|wollte)',
  '(danach|das) (habe|hatte) ich (gar|aber|doch|) nicht (gefragt|gemeint|gesagt|bestellt|gewollt)',
  '(sie|du) (haben|hast) (mich|meine frage|das) (falsch|nicht|missverstanden) (verstanden|gelesen|beantwortet|)',
  // French
  '(ce nest|cest) pas ce que (je|jai) (demande|voulais|dit|demandais|veux|voulu)',
  '(vous|tu) (mavez|navez|mas|nas) (mal|pas|rien) (compris|lu|repondu)',
  // Spanish
  '(eso|esto|no) (no|) (es|era|fue) lo que (yo|) (pedi|pregunte|dije|queria|quise|he pedido|te pedi|le pedi|solicite)',
  '(no me|me) (has|ha|) (entendido|entendiste|entendio|malinterpretado|entendio mal)',
  // Portuguese
  '(isso|isto|) nao (e|era|foi) (o que|isso que) (eu|) (pedi|perguntei|disse|queria|quis)',
  '(voce) (nao|me) (entendeu|leu|respondeu|entendeu mal)',
];

/** Restatements of what the agent got wrong; alone such a phrase may also be a change of mind. */
export const RESTATED: readonly string[] = [
  // English
  '(i|we) (said|meant|wrote|specified|clearly said|clearly asked|specifically asked|specifically said|did say|told you) … not',
  '(no|nope) (i|we) (said|meant|asked|specified|told|wrote)',
  '(no|nope) (its|it is|my|the) … not',
  '(it should be|its supposed to be|should have been|it was supposed to be)',
  '(not|isnt) … (i|we) (said|asked|meant)',
  // German
  '(nein|ne) (ich) (sagte|meinte|habe gesagt|hatte gesagt)',
  '(ich) (sagte|meinte|habe gesagt|hatte gesagt|hatte|habe) … nicht',
  '(sondern) (ich|den|die|das|am|um|nach|in|fur)',
  // French
  '(non) (jai|je) (dit|parlais|demande)',
  '(jai|je) (dit|voulais|demande|parlais) … pas',
  // Spanish
  '(no) (dije|pedi|queria|he dicho|quise|te dije|le dije)',
  '(dije|pedi|queria|me referia a) … no',
  // Portuguese
  '(nao) (eu|) (disse|pedi|queria|falei)',
  '(eu|) (disse|pedi|queria|falei) … (nao|e nao)',
];

/** Verdicts in one word, with nothing after it in its clause. */
export const VERDICT: readonly string[] = [
  '(no|nope|) (wrong|incorrect|not correct|not true|false|falsch|stimmt nicht|faux|incorrecto|incorrecta|equivocado|errado|errada|incorreto)',
];

/** Objections, which may correct the agent or just continue; they count together with the agent's own admission. */
export const OBJECTED: readonly string[] = [
  '(actually|no|nope|well) (actually|) (its|it is|thats|that is|it was|the correct|the right|there are|there is)',
  '(that|this|it) (cant|cannot|can not) be (right|correct|true)',
  '(no|nope) (i|we) (wanted|need the|want the|need it|want it)',
  '(nein|ne) (ich) (wollte|habe|hatte|brauche|will)',
  '(non) (jai|je) (voulais|veux)',
  '(are you sure|i dont think thats|i dont think that is|i dont think thats right|i dont think so)',
  '(nein|doch) (es|das|die|der) (ist|sind|war|heisst)',
  '(non) (cest|ce sont|il sagit)',
  '(no) (es|son|era|la correcta|el correcto)',
  '(nao) (e|sao|era)',
];

/** Phrases that make a matching sentence no correction of the agent. */
export const NOT_A_CORRECTION: readonly string[] = [
  // The user's own mistake or change of mind
  '(my mistake|my bad|my fault|my error|i made a mistake|i was wrong|im wrong|i am wrong|i mistyped|i misspoke|i typed|i entered|i gave you the wrong|i provided the wrong|i forgot|typo|sorry i meant|i apologize)',
  '(changed my mind|change my mind|on second thought|second thoughts|id rather|i would rather|actually lets|lets go with|id prefer|i would prefer)',
  '(mein fehler|ich habe mich (vertan|verschrieben|geirrt)|entschuldigung ich meinte|ich habe es mir anders uberlegt|doch lieber)',
  '(mon erreur|je me suis trompe|pardon je voulais|jai change davis|finalement)',
  '(mi error|me equivoque|perdon quise|cambie de opinion|mejor)',
  '(meu erro|eu errei|me enganei|mudei de ideia|desculpe eu quis)',
  '(thats|that is) (all|it|fine|ok|okay|everything|great|enough|good|not necessary|alright|perfect)',
  '(youre right|you are right|wrong of me|i stand corrected|i misread|i misunderstood)',
  '(wrong|not right) that (you|they|we|i|people|companies|it|this|the)',
  // Merely supposed, not stated
  '(if|unless|whether|in case|correct me if|let me know if|tell me if|falls|wenn|ob|si|caso) … (wrong|incorrect|mistake|not right|not correct|falsch|faux|mal|errado|errada)',
  '(not|nothing|isnt|wasnt) (wrong|incorrect|false)',
  '(whats|what is|what was|what went|whats gone|find|something|anything|somethings|figure out what|see what|know what) (is|went|gone|going|was|) wrong',
  // About somebody else
  '(he|she|they|my (boss|manager|colleague|friend|wife|husband|doctor|bank)|someone|somebody|the (driver|store|clerk|warehouse|courier)) (said|says|told|thinks|sent|gave|was|is)',
  '(is|was|are|were) (not|nt) (right|correct) (now|for me|away)',
];

/** Phrases with which an agent accepts a correction. */
export const MISTAKE_ADMITTED: readonly string[] = [
  '(youre|you are) (absolutely|completely|quite|totally|) (right|correct)',
  '(apologize|apologise|apologies|sorry) (for|about) (the|that|my|any|this) (confusion|mistake|error|mix up|mixup|misunderstanding|oversight|incorrect|wrong|mixing|misreading|earlier|previous)',
  '(my mistake|my apologies|i misread|i misunderstood|i made (a|an) (mistake|error)|thanks for (catching|correcting|the correction|pointing)|thank you for (catching|correcting|the correction|pointing|clarifying)|good catch|i stand corrected|i got that wrong|i mixed)',
  '(entschuldigung|entschuldigen sie|tut mir leid|sie haben recht|du hast recht|mein fehler|ich habe … (verwechselt|ubersehen|falsch))',
  '(vous avez raison|tu as raison|toutes mes excuses|je mexcuse|desole pour|desolee pour|mon erreur|je vous prie de mexcuser)',
  '(tiene razon|tienes razon|mis disculpas|disculpe|disculpa|lamento (el|la)|mi error|perdon por)',
  '(voce tem razao|tem razao|desculpe|desculpa|peco desculpas|meu erro|lamento (o|a|pelo))',
];

/** Questions with which an agent checks whether it has something right: `no` answers such a question. */
export const VERIFYING_QUESTION: readonly string[] = [
  '(is|are|was|were|does|do|did|have|would) (that|this|these|those|it|everything|all|i|the|your) … (correct|right|accurate|look good|looks good|sound right|match|matches)',
  '(did you mean|do you mean|is (it|this|that) about|are you (asking|referring|looking for)|do i understand)',
  '(can|could|would|please|just to) (you |) (please |) confirm',
  '(stimmt das|ist das (so |) (richtig|korrekt)|meinen sie|meinst du|habe ich … richtig)',
  '(est ce (correct|exact|bien)|cest bien (ca|cela)|vous voulez dire|pouvez vous confirmer)',
  '(es correcto|es asi|esta bien|quiere decir|puede confirmar)',
  '(esta correto|esta certo|e isso|quer dizer|pode confirmar)',
];
