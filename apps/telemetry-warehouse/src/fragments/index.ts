export { callNumber, ENDPOINT_KEY, idKeysToFind, isKnownByWords, wordsKeysToFind } from './call-keys.ts';
export { createCallStore, type CallStore, type FragmentOfCalls } from './calls.store.ts';
export { createCompaction, MAX_SMALL_FRAGMENTS, textsOf, type Compaction } from './compaction.ts';
export { contentModel, createFragmentCollection, fragmentModel } from './fragment.model.ts';
export {
  isBetterVersion,
  type FragmentContent,
  type FragmentFacts,
  type LogFact,
  type SpanFact,
  type TraceFragment,
} from './fragment.ts';
export {
  contentCollection,
  createFragmentStore,
  fragmentCollection,
  packedFragment,
  type FragmentHead,
  type FragmentStore,
  type HeadLimits,
} from './fragments.store.ts';
export { fragmentOf, messageFragments, type MessageFragments } from './message-fragments.ts';
export { createPlaceStore } from './places.store.ts';
export {
  FragmentsReplacedError,
  heldRows,
  readRecords,
  RowCollector,
  rowsOf,
  spanPlace,
  type LogRow,
  type RecordRows,
  type Records,
  type SpanRow,
} from './records.ts';
export { createStoreSpans } from './store-spans.service.ts';
