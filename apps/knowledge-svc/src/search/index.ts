export { callPatience, createNearItems, type NearItems, type NearItemsDependencies } from './near-items.ts';
