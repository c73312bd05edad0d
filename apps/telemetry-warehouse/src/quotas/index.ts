export { createQuotas } from './create-quotas.ts';
export { ensureIngestDayIndex } from './ingest-days.store.ts';
export { QUOTAS_COLLECTION } from './quota-copies.store.ts';
export { storedBytesCollection } from './storage.store.ts';
