export { slowTexts, superLinearGrowth, type GrowthOptions, type Work } from './growth.ts';
export { BEGINNINGS, CHARACTERS, PIECES } from './pieces.ts';
export { hostileRuns, runOf, runsOf, twoPieceTexts, type HostileText } from './texts.ts';
