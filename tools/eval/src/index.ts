export type { Reader } from './knowledge/backfilled-goal.ts';
export { evaluateKnowledgeOn, type KnowledgeEvaluation } from './knowledge/evaluate-knowledge.ts';
