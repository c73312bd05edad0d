export { addSoughtFields } from './add-sought-fields.ts';
export { createBatchService } from './batch.service.ts';
export { digestOfContent, type ContentDigest } from './content-digest.ts';
export type { ChangeOptions, ExampleChanges, ExampleWork } from './example-changes.ts';
export { createCountExamples } from './example-counts.store.ts';
export { createExampleHistory, type ExampleHistory, type ExamplePlace } from './example-history.store.ts';
export { createExampleReader, MAX_SLICE_SIZE, type DatasetLookup, type ExampleReader } from './example-reader.ts';
export { exampleSignature } from './example-signature.ts';
export { createExampleTraitsStore, type ExampleTraits, type ExampleTraitsStore } from './example-traits.store.ts';
export { createExampleUpserts, type ExampleUpserts, type UpsertOutcome } from './example-upserts.ts';
export { exampleCollection, exampleModel, revisionCollection, revisionModel } from './example.model.ts';
export {
  contentOf,
  digestOf,
  draftExample,
  exampleView,
  placeKey,
  soughtFields,
  UnfitExampleError,
  type DatasetKey,
  type ExampleDraft,
  type ReadableVersion,
  type StoredExample,
} from './example.ts';
export { exampleRoutes } from './examples.routes.ts';
export { createExamplesService } from './examples.service.ts';
export { createExampleStore, type ExampleStore, type RetiredExample } from './examples.store.ts';
export { splitOfTags } from './split-of-tags.ts';
export { createUpdateExamples } from './update-examples.ts';
export type { SplitSlices } from './split-slices.ts';
