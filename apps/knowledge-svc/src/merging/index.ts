export { createItemMerger, floatsOf, likenessOf, likenessOfWords, type ItemMerger } from './item-merger.ts';
export { type NewItem } from './merge.ts';
export { statementOf } from './statement.ts';
export { cosineOf, estimatedCosine, sketchOf, vectorOf } from './vector-bands.ts';
