import { compilePhrases } from '../text/phrases.ts';

/** Words with which an agent says that it is not certain of something. */
export const HEDGED = compilePhrases([
  '(seems|seem|seemed|appears|appear|appeared|might|may|perhaps|maybe|possibly|probably|likely|unclear|unsure|suspect)',
  '(assume|assuming|assumed|guess|could be|should be|not sure|not certain|suggest|suggests|suggesting)',
  '(scheint|anscheinend|vermutlich|vielleicht|moglicherweise|wahrscheinlich|offenbar|durfte)',
  '(semble|apparemment|peut etre|probablement|sans doute|il se peut)',
  '(parece|aparentemente|quiza|quizas|tal vez|posiblemente|probablemente)',
  '(talvez|possivelmente|provavelmente)',
]);

/** Words with which an agent says what it is about to do, or what is still to be done. */
export const PLANNED = compilePhrases([
  '(i|we) (will|shall|should|need to|must|have to|am going to|are going to|would|can) (now|then|next|first|also|try|)',
  '(ill|well|im going to|let me|lets|going to|next)',
  '(ich werde|wir werden|ich muss|als nachstes|lass mich)',
  '(je vais|nous allons|je dois|ensuite|laissez moi)',
  '(voy a|vamos a|debo|a continuacion|dejame)',
  '(vou|a seguir|deixe me)',
]);
