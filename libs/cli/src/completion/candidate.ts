/** Value that may stand next, with its meaning. */
export interface Candidate {
  value: string;
  meaning: string;
}
