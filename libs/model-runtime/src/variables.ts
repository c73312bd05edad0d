import { z } from 'zod';
import { booleanVariable } from '@clew/runtime';

/** Variables that the API and the agent must agree on. */
export const nodeVariables = {
  /** Node that models run on; one for each deployment. */
  MODEL_NODE: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/, 'must be a name in lower-case letters, digits, dots and hyphens')
    .default('node-1'),
} as const;

/** Variables of the model hub, which the API and the agent both read. */
export const hubVariables = {
  /** Model hub, or a mirror of it. */
  HF_ENDPOINT: z.url({ protocol: /^https?$/ }).default('https://huggingface.co'),
  /**
   * Token that reads public content of the hub with the rights of an account; gated content needs each project's own
   * token.
   */
  HF_TOKEN: z.string().optional(),
  /** True if the hub must never be asked. */
  HF_HUB_OFFLINE: booleanVariable(false),
} as const;
