const CONFIDENCE = 0.95;

/**
 * How often the problem may still occur, at most, with 95% confidence, when so many conversations that could have shown
 * it did not: the rate at which as many clean ones in a row would come about one time in twenty. Three exposures leave
 * 63%, ten 26%, thirty 9.5%.
 */
export function recurrenceBound(cleanExposures: number): number {
  return cleanExposures === 0 ? 1 : 1 - (1 - CONFIDENCE) ** (1 / cleanExposures);
}
