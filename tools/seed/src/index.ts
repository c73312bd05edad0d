export { planSeed, type PlannedConversation } from './plan-seed.ts';
export { readSamples, type Sample } from './read-samples.ts';
export { SampleConversation } from './sample-conversation.ts';
export { seed, type SeedCounts, type SeedOptions } from './seed.ts';
