import { z } from 'zod';
import { booleanVariable } from '@clew/runtime';

/** What the API and the agent must agree on. */
export const nodeVariables = {
  /** The node that models run on; one for each deployment. */
  MODEL_NODE: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/, 'must be a name in lower-case letters, digits, dots and hyphens')
    .default('node-1'),
} as const;

/** Where models come from; both roles of the app read them. */
export const hubVariables = {
  /** The model hub, or a mirror of it. */
  HF_ENDPOINT: z.url({ protocol: /^https?$/ }).default('https://huggingface.co'),
  /** Reads what is public on the hub with the rights of an account; what is gated takes each project's own token. */
  HF_TOKEN: z.string().optional(),
  /** Never asks the hub. */
  HF_HUB_OFFLINE: booleanVariable(false),
} as const;

/** For the role that fetches artifacts. */
export const packageVariables = {
  /** The package index to take models from; the one that pip is set up for by default. */
  PIP_INDEX_URL: z.url({ protocol: /^https?$/ }).optional(),
} as const;
