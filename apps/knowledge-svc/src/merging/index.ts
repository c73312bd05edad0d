export { createItemMerger, floatsOf, likenessOf, likenessOfWords, type ItemMerger } from './item-merger.ts';
export { type NewItem } from './merge.ts';
export { createNearStatements } from './near-statements.ts';
export { nearStatementRoutes } from './near-statements.routes.ts';
export { statementOf } from './statement.ts';
