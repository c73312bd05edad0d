export { createCheckQuotes, type CheckQuotes } from './check-in-thread.ts';
export { createAskReaders, type EndedExtraction } from './ask-readers.ts';
export { createFollowSnapshots } from './follow-snapshots.ts';
export { createQueueExtractions, createTakeReady, type QueueExtractions } from './queue-extractions.ts';
export { type Patience } from './extraction.ts';
export { extractionCollection, extractionModel } from './extraction.model.ts';
export { createExtractionStore, type ExtractionsOf } from './extractions.store.ts';
export { createEndGivenUp, createTakeResults, type TakenExtraction } from './take-results.ts';
