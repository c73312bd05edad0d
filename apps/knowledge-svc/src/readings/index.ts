export { createCheckQuotes, type CheckQuotes } from './check-in-thread.ts';
export { createAskReaders, type EndedReading } from './ask-readers.ts';
export { createFollowSnapshots } from './follow-snapshots.ts';
export { createQueueReadings, createTakeReady, type QueueReadings } from './queue-readings.ts';
export { type Patience } from './reading.ts';
export { readingCollection, readingModel } from './reading.model.ts';
export { createReadingStore, type ReadingsOf } from './readings.store.ts';
export { createEndGivenUp, createTakeResults, type TakenReading } from './take-results.ts';
