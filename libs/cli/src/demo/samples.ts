import { RESEARCH_SAMPLES } from './research-samples.ts';
import { RETAIL_SAMPLES } from './retail-samples.ts';
import type { SampleConversation } from './sample-conversation.ts';
import { SUPPORT_SAMPLES } from './support-samples.ts';
import { WORK_SAMPLES } from './work-samples.ts';

/** Conversations of fictional agents; most of them have a problem that a built-in Rule finds. */
export const SAMPLES: readonly SampleConversation[] = [
  ...SUPPORT_SAMPLES,
  ...RETAIL_SAMPLES,
  ...WORK_SAMPLES,
  ...RESEARCH_SAMPLES,
];
