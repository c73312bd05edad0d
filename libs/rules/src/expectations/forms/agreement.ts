import { compilePhrases, findPhrase, type PhraseSet } from '../../text/phrases.ts';
import type { Sentence } from '../../text/sentences.ts';

/** Phrases that agree to any proposal. */
const YES = compilePhrases([
  // English
  '(yes|yeah|yep|yup|yea|absolutely|definitely|affirmative|agreed|approved|confirmed|lgtm|y|yess|yessir)',
  '(of course|go ahead|go for it|go right ahead|by all means|make it so|do it|do that|do so|please do|ship it|send it)',
  '(i|we) (confirm|agree|approve|accept|consent|authorize|authorise|am happy with|am fine with|am ok with|am okay with)',
  '(im|were) (happy|fine|ok|okay|good) with',
  '(lets|let us) (do|go|proceed|move)',
  '(please|you can|you may|can|id like to|i would like to|i want to|happy to|ready to|good to|fine to|ok to|okay to|free to) (now |) (proceed|continue|go ahead|go on|move forward)',
  '(proceed|continue|go ahead)',
  '(that|this|it|which|everything|all|both|they) (sounds|sound|looks|look|seems|is|are) (all |absolutely |just |totally |perfectly |completely |) (good|great|perfect|fine|correct|right|ok|okay|acceptable|lovely|excellent|alright|accurate)',
  '(thats|its) (all |absolutely |just |totally |perfectly |completely |) (good|great|perfect|fine|correct|right|ok|okay|acceptable|lovely|excellent|alright|accurate|it)',
  '(sounds|looks|all) (good|great|perfect|fine|correct|right|ok|okay|set)',
  '(that|this|it) (works|will do|will work|would work|would be (great|good|fine|perfect|lovely|helpful))',
  '(thatll|itll) (do|work|be fine|be great)',
  '(works|fine|good|ok|okay) (for|with|by) me',
  '(you have|you got|youve got|has|have) my (permission|consent|approval|ok|okay|blessing|confirmation|agreement)',
  '(no objection|no objections|no changes|nothing to change|no need to change)',
  // German
  '(ja|jawohl|jep|jo|einverstanden|bestatige|bestatigt|genehmigt|passt|los|gerne|gern|unbedingt)',
  '(mach|machen sie|tun sie|mache) (das|es|so)',
  '(stimmt|klingt gut|sieht gut aus|in ordnung|fahren sie fort|weiter so)',
  // French
  '(oui|ouais|daccord|dac|jaccepte|je confirme|je valide|confirme|valide|allez y|vas y|bien sur|entendu|volontiers|cest bon|cest parfait|ca marche|ca me va|parfait)',
  // Spanish
  '(si|claro|adelante|confirmo|de acuerdo|vale|proceda|procede|hagalo|hazlo|por supuesto|esta bien|me parece bien|correcto|acepto|dale|perfecto)',
  // Portuguese
  '(sim|claro|confirmo|pode|prossiga|de acordo|com certeza|esta bem|aceito|combinado|perfeito|isso mesmo)',
]);

/** Phrases that agree only after a request for agreement: people also begin new wishes with them. */
const PERHAPS_YES = compilePhrases([
  '(ok|okay|okey|k|kk|sure|great|perfect|fine|right|correct|good|excellent|please|alright|wonderful|thanks|thank you|cool|certainly|exactly|understood|deal|true)',
  '(i|we) (would like|want|will take|take|choose|prefer|would prefer|would go)',
  '(id|ill|well) (like|take|have|go|prefer|choose)',
  '(genau|gut|super|bitte|alles klar|klar|prima|danke|richtig|korrekt)',
  '(bien|super|merci|exact|exactement|sil vous plait|tres bien)',
  '(bueno|gracias|por favor|exacto|bien|ok)',
  '(bom|obrigado|obrigada|por favor|exato|certo|ok)',
]);

const NO = compilePhrases([
  '(dont|do not|wait|hold on|hold off|not yet|not now|never mind|nevermind|stop|rather not|changed my mind|not sure|let me think|need to think|id rather|no longer)',
  '(nein|nicht|noch nicht|warten sie|warte|stopp|lieber nicht)',
  '(non|pas|attendez|attends|arretez)',
  '(espera|espere|todavia no|aun no|mejor no|detengase)',
  '(nao|espere|ainda nao|melhor nao|pare)',
]);
const FIRST_NO = new Set(['no', 'nope', 'nah', 'nein', 'non', 'nao']);
const AGREEING_MARK = /👍|✅|👌|🆗|✔|☑/u;

/** Answer of the user. `perhaps` counts as agreement if agreement was requested. */
export type UserAnswer = 'yes' | 'perhaps' | 'no' | 'other';

/** Tells whether a message of the user agrees, refuses, or says something else. */
export function userAnswerOf(text: string, sentences: readonly Sentence[]): UserAnswer {
  if (AGREEING_MARK.test(text.slice(0, 2000))) return 'yes';
  const statements = sentences.filter((sentence) => !sentence.isQuestion);
  if (statements.some((sentence) => agrees(YES, sentence))) return 'yes';
  if (sentences.some((sentence) => sentence.isQuestion && isYesAsQuestion(sentence))) return 'yes';
  if (sentences.some(refuses)) return 'no';
  return statements.some((sentence) => agrees(PERHAPS_YES, sentence)) ? 'perhaps' : 'other';
}

const YES_AS_QUESTION = compilePhrases([
  '(can|could|would|will) you (please |) (go ahead|proceed|do that|do it|do so)',
  '(yes|yeah|yep) (please |) (can|could|would) you',
  '(yes|yeah|yep|oui|ja|sim) please',
]);

/** `Of course, why not?` and `Can you go ahead and book it?` say yes; `Can I proceed without it?` does not. */
function isYesAsQuestion(sentence: Sentence): boolean {
  return findPhrase(YES, sentence)?.tokenIndex === 0 || says(YES_AS_QUESTION, sentence);
}

function agrees(vocabulary: PhraseSet, sentence: Sentence): boolean {
  const found = findPhrase(vocabulary, sentence);
  if (found === undefined) return false;
  const before = sentence.tokens.slice(Math.max(0, found.tokenIndex - 3), found.tokenIndex);
  return !before.some(({ text }) => NEGATING.has(text));
}

const NEGATING = new Set('not dont doesnt isnt arent cant cannot wont never nicht kein pas nao'.split(' '));

function says(vocabulary: PhraseSet, sentence: Sentence): boolean {
  return findPhrase(vocabulary, sentence) !== undefined;
}

function refuses(sentence: Sentence): boolean {
  return FIRST_NO.has(sentence.tokens[0]?.text ?? '') || says(NO, sentence);
}

/** Questions that themselves name the action: `shall I look for another one?` */
const OFFERED = compilePhrases([
  '(shall|should|may) (i|we)',
  '(would you like|do you want|want|like) (me|us) to',
  '(would you like|do you want|do you wish|are you ready|are you happy|are you okay|are you ok) to',
  '(ready to|happy for me to|fine with|okay with|ok with)',
  '(soll ich|sollen wir|darf ich|mochten sie|mochtest du|wollen sie)',
  '(souhaitez vous|voulez vous|dois je|puis je)',
  '(desea|quiere|quieres|puedo)',
  '(deseja|quer que|gostaria|posso)',
]);
/** Questions that refer back to what was named before: `is that correct?` */
const AGREEMENT_ASKED = compilePhrases([
  // English
  '(proceed|proceeding|go ahead|move forward|moving forward|continue)',
  '(do|doing) (it|that|this|so|them|these)',
  '(are you|you) (sure|certain|happy|okay|ok|comfortable|satisfied)',
  '(is|are|does|do|if) (that|this|it|these|those|everything|all|both|the following|the above) … (ok|okay|correct|right|alright|fine|acceptable|good|work|works|look|looks|sound|suit|accurate)',
  '(look|looks|sound|sounds) (good|right|correct|ok|okay|fine)',
  '(approve|approval|consent|permission|agree|authorize|authorise|confirmation)',
  '(please|kindly|can you|could you|would you|do you|you|to|and|reply|must|once) (confirm|please confirm|kindly confirm|just confirm)',
  '(yes or no|yes no|reply yes|say yes|type yes|answer yes|respond with yes|with yes|your ok|your okay)',
  // German
  '(bestatigen|bestatigung|einverstanden|zustimmung|fortfahren|in ordnung|passt das|stimmt das)',
  // French
  '(confirmer|confirmez|confirmation|daccord|proceder|cela vous convient|accord)',
  // Spanish
  '(confirma|confirme|confirmar|confirmacion|procedo|proceder|de acuerdo|le parece|esta bien)',
  // Portuguese
  '(confirma|confirme|confirmar|confirmacao|prosseguir|de acordo|tudo bem)',
]);
/** `Please confirm your e-mail address` asks for a fact, `please confirm your booking` for an agreement. */
const FACT_ASKED = compilePhrases([
  'confirm (your|the) (full |first |last |) (name|email|e mail|address|phone|number|date|birth|birthday|id|identity|user|account|order number|postcode|zip|reason|age|details so i can find)',
]);
const FACT_QUESTION = compilePhrases([
  '(what|which|when|where|who|whose|how many|how much|how old|why)',
  '(do you|did you|have you|are you|were you|was it|is it|is this|is there|do any|has) ',
  '(could|can|would|will) you (please |kindly |) (provide|give|tell|share|specify|let|send|describe|clarify|supply|enter|spell)',
  '(please|kindly) (provide|give|tell|share|specify|send|describe|clarify|supply|enter)',
  '(i need|i will need|ill need|i also need|i still need|id need|i require)',
]);

/** Request in an agent's text before an answer: `agreement` refers back to a named action, `offer` names it itself. */
export type AgentAsk = 'agreement' | 'offer' | 'fact' | 'nothing';

/** Determines what an agent is waiting for. */
export function agentAskOf(sentences: readonly Sentence[]): AgentAsk {
  const asks = (vocabulary: PhraseSet): boolean =>
    sentences.some((sentence) => says(vocabulary, sentence) && !says(FACT_ASKED, sentence));
  if (asks(AGREEMENT_ASKED)) return 'agreement';
  if (asks(OFFERED)) return 'offer';
  const asksFact = sentences.some(
    (sentence) => says(FACT_ASKED, sentence) || (isAsking(sentence) && says(FACT_QUESTION, sentence)),
  );
  return asksFact ? 'fact' : 'nothing';
}

const ENGLISH = new Set(
  'the to you your is i for would and of this that with it be will are can my do have'.split(' '),
);

/** Tells whether sentences are in English, the language of most tool names, so that these can be found in them. */
export function isEnglish(sentences: readonly Sentence[]): boolean {
  const words = sentences.flatMap(({ tokens }) => tokens);
  return words.filter((word) => ENGLISH.has(word.text)).length >= 0.15 * words.length;
}

/** Requests for facts are often not questions: `Please provide your user id.` */
function isAsking(sentence: Sentence): boolean {
  return sentence.isQuestion || says(REQUESTS, sentence);
}

const REQUESTS = compilePhrases([
  '(please|kindly|i need|i will need|ill need|i also need|i still need|id need|i require)',
]);
