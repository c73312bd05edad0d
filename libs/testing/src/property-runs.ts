/**
 * Number of runs of a property, for fast-check: the usual one, or that of the variable `CLEW_PROPERTY_RUNS`, which the
 * long tier sets. Properties that need a database have few usual runs, since each run stores and reads.
 */
export function propertyRuns(usual: number): { numRuns: number } {
  return { numRuns: Number(process.env['CLEW_PROPERTY_RUNS'] ?? usual) };
}
