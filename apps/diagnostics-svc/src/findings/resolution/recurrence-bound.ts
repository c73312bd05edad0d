const CONFIDENCE = 0.95;

/**
 * Highest rate, with 95% confidence, at which the problem may still occur after that many conversations that could have
 * shown it and did not: at this rate, as many clean conversations in a row would occur one time in twenty. Three
 * exposures leave 63%, ten 26%, thirty 9.5%.
 */
export function recurrenceBound(cleanExposures: number): number {
  return cleanExposures === 0 ? 1 : 1 - (1 - CONFIDENCE) ** (1 / cleanExposures);
}
