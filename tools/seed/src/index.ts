export { bringUp, type BringUpOptions } from './local-models/bring-up.ts';
export { createProjectApi, RefusedError, type ProjectApi } from './local-models/project-api.ts';
export { exportSpans, type ExportOptions } from './export-spans.ts';
export { planSeed, type PlannedConversation } from './plan-seed.ts';
export { readSamples, type Sample } from './read-samples.ts';
export { SampleConversation, type TaughtStatement } from './sample-conversation.ts';
export { seed, type SeedCounts, type SeedOptions } from './seed.ts';
export { toReadableSpan } from './to-readable-span.ts';
