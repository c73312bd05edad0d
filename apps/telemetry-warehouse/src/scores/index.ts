export { joinedScores } from './joined-scores.ts';
export { scoredHashOf, scoreHashOf } from './score-hash.ts';
export { createScoreStore, scoreCollection, scoreModel, type ScoreStore } from './scores.store.ts';
