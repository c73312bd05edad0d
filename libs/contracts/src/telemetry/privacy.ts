import { z } from 'zod';
import { textOf } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';

/** Categories of the built-in detectors, and the word for each in its mask: `[masked email]`. */
export const MASK_OF_CATEGORY = {
  secrets: 'secret',
  emails: 'email',
  phones: 'phone',
  cards: 'card',
  bankAccounts: 'iban',
  nationalIds: 'ssn',
  addresses: 'address',
} as const;
export type MaskCategory = keyof typeof MASK_OF_CATEGORY;
export type MaskKind = (typeof MASK_OF_CATEGORY)[MaskCategory];

export const MASK_CATEGORIES = Object.keys(MASK_OF_CATEGORY) as MaskCategory[];

const MAX_PATTERNS = 20;
const MAX_ALLOWED = 200;

const builtIn = Object.fromEntries(MASK_CATEGORIES.map((category) => [category, z.boolean()])) as Record<
  MaskCategory,
  z.ZodBoolean
>;

export const MaskingPattern = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9](?:[A-Za-z0-9 _-]{0,38}[A-Za-z0-9])?$/, 'must be letters, digits, spaces, - and _')
      .meta({ description: 'Shown in the mask: `[masked <name>]`. A name such as `card` counts as that kind' }),
    pattern: textOf(300).min(1).meta({
      description: 'A regular expression in the syntax of RE2, which does not match empty text',
    }),
    replacement: z
      .string()
      .regex(/^\[[A-Za-z0-9](?:[A-Za-z0-9 _-]{0,38}[A-Za-z0-9])?\]$/, 'must be words in brackets: [order number]')
      .optional()
      .meta({ description: 'Mask in place of `[masked <name>]`' }),
  })
  .meta({ id: 'MaskingPattern' });
export type MaskingPattern = z.infer<typeof MaskingPattern>;

const masking = {
  enabled: z.boolean().meta({ description: 'Whether anything is masked' }),
  patterns: z.array(MaskingPattern).max(MAX_PATTERNS).meta({ description: 'Own patterns of the project' }),
  allow: z.array(textOf(200).min(1)).max(MAX_ALLOWED).meta({
    description: 'Values that are never masked, without regard to case; `@example.com` allows every address there',
  }),
};

export const MaskingSettings = z.object({ ...masking, builtIn: z.object(builtIn) }).meta({
  id: 'MaskingSettings',
  description: 'Secrets and personal data that are replaced before anything is stored',
});
export type MaskingSettings = z.infer<typeof MaskingSettings>;

export const MaskingChange = z
  .strictObject({ ...masking, builtIn: z.strictObject(builtIn).partial() })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'must hold at least one field');
export type MaskingChange = z.infer<typeof MaskingChange>;

/** Content that is stored: all of it, or its structure alone. */
export const ContentCapture = z.enum(['full', 'structure']);
export type ContentCapture = z.infer<typeof ContentCapture>;

export const DEFAULT_MASKING: MaskingSettings = {
  enabled: false,
  builtIn: Object.fromEntries(MASK_CATEGORIES.map((category) => [category, true])) as Record<MaskCategory, boolean>,
  patterns: [],
  allow: [],
};

/** Privacy settings of a project, as the processes that take content need them. */
export const PrivacySettings = z.object({
  masking: MaskingSettings,
  contentCapture: ContentCapture,
  salt: z.string().meta({ description: 'Secret of the project, under which ids that hold personal data get others' }),
});
export type PrivacySettings = z.infer<typeof PrivacySettings>;

const ProjectPrivacy = z.object({ projectId: z.string(), privacy: PrivacySettings });
export type ProjectPrivacy = z.infer<typeof ProjectPrivacy>;

/** Maximum number of projects in one answer. */
export const MAX_PRIVATE_PROJECTS = 100;

/** Services that take content, and protect it before they store or publish it. */
const TAKERS = ['telemetry-ingest', 'model-runtime-svc'] as const;

/** Internal: the projects that mask or store structure alone; for all others nothing is changed. */
export const listPrivateProjects = defineRoute({
  operationId: 'listPrivateProjects',
  service: 'telemetry-warehouse',
  method: 'get',
  path: '/internal/v1/private-projects',
  tag: 'Internal',
  summary: 'List the privacy settings of the projects that have any, by id',
  access: { kind: 'internal', services: TAKERS },
  query: z.strictObject({ after: z.string().max(100).optional(), projectId: z.string().max(100).optional() }),
  responses: { 200: z.object({ projects: z.array(ProjectPrivacy), next: z.string().nullable() }) },
});
