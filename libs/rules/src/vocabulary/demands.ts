import { compilePhrases } from '../text/phrases.ts';

/**
 * Phrases with which a user asks for an extreme, a limit or a sum. The answer must be worked out and cannot just be
 * looked up, so each phrase makes a mistake likelier.
 */
export const DEMANDING = compilePhrases([
  // English
  '(cheapest|lowest|highest|smallest|largest|biggest|fastest|quickest|shortest|longest|earliest|latest|nearest|closest|newest|oldest|best|most expensive|least expensive)',
  '(at most|at least|no more than|not more than|less than|more than|up to|under|over|within|between|maximum|minimum|budget|limit)',
  '(total|altogether|in sum|sum of|how much|how many|difference|average|percent)',
  // German
  '(gunstigste|gunstigsten|billigste|billigsten|schnellste|schnellsten|fruheste|fruhesten|spateste|spatesten|teuerste|teuersten|nachste|beste|besten)',
  '(hochstens|mindestens|weniger als|mehr als|bis zu|insgesamt|wie viel|wie viele|differenz)',
  // French
  '(le moins cher|la moins chere|le plus|la plus|les plus|au plus|au moins|moins de|plus de|maximum|minimum|au total|combien|difference)',
  // Spanish
  '(mas barato|mas barata|mas caro|mas rapido|mas temprano|mas tarde|mayor|menor|como maximo|al menos|menos de|mas de|en total|cuanto|cuantos|cuantas|diferencia)',
  // Portuguese
  '(mais barato|mais barata|mais caro|mais rapido|mais cedo|mais tarde|maior|menor|no maximo|pelo menos|menos de|mais de|ao todo|no total|quanto|quantos|quantas|diferenca)',
]);
