export { callPatience, createEmbedQuery, type EmbedQueryDependencies } from './embed-query.ts';
export { createNearItems } from './near-items.ts';
export { createSearchItems } from './search-items.ts';
export { searchRoutes } from './search.routes.ts';
