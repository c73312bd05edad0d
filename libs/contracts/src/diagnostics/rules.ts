import { z } from 'zod';
import { EpochMs, pageQuery, ProjectParams, textOf } from '../common/primitives.ts';
import { ModelName } from '../models/model-name.ts';
import { defineRoute } from '../route.ts';
import { ADJUDICATION_MODES, RuleConfiguration, Severity } from './detection.ts';

export const MAX_KEYWORDS = 200;

const Keyword = textOf(200)
  .min(1)
  .refine((text) => text.trim() === text && !/[\t\n\r]/.test(text), 'must be one line without spaces around it');

export const RuleSignal = z
  .object({
    name: z.string(),
    description: z.string(),
    defaultSeverity: Severity,
    weight: z.number().min(0).max(1).meta({ description: 'How much a clear case of this signal alone says' }),
  })
  .meta({ id: 'RuleSignal' });

/** Built-in Rule with the configuration of one project. */
export const Rule = z
  .object({
    ruleId: z.string(),
    ruleKey: z.string(),
    name: z.string(),
    description: z.string(),
    categoryKey: z.string(),
    enabled: z.boolean(),
    configuration: RuleConfiguration,
    revision: z.int().min(1).meta({ description: 'Of the configuration; grows with every change of it' }),
    keywordsMeaning: z
      .string()
      .nullable()
      .meta({ description: 'What `keywords` are added to; null where the Rule has no vocabulary' }),
    signals: z.array(RuleSignal),
    updatedAt: EpochMs.nullable().meta({ description: 'null where the project has changed nothing' }),
  })
  .meta({ id: 'Rule' });
export type Rule = z.infer<typeof Rule>;

const SignalOverride = z
  .strictObject({ enabled: z.boolean().optional(), severity: Severity.optional() })
  .refine(({ enabled, severity }) => enabled !== undefined || severity !== undefined, 'must have enabled or severity');

/** Change of a configuration; absent members stay unchanged. */
const ConfigurationChange = z
  .strictObject({
    keywords: z.array(Keyword).max(MAX_KEYWORDS).optional(),
    minSignalScore: z.number().min(0).max(1).optional(),
    minDiagnosticConfidence: z.number().min(0).max(1).optional(),
    adjudicationMode: z.enum(ADJUDICATION_MODES).optional(),
    adjudicationModel: ModelName.nullable().optional(),
    signalOverrides: z
      .record(z.string(), SignalOverride.nullable())
      .optional()
      .meta({ description: 'By signal, what is absent stays; null removes the override' }),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'must have a field to change');
export type ConfigurationChange = z.infer<typeof ConfigurationChange>;

export const RuleChange = z
  .strictObject({ enabled: z.boolean().optional(), configuration: ConfigurationChange.optional() })
  .refine(
    ({ enabled, configuration }) => (enabled === undefined) !== (configuration === undefined),
    'must have either enabled or configuration',
  );
export type RuleChange = z.infer<typeof RuleChange>;

const READ = { kind: 'caller', scopes: ['diagnostics:read'], permissions: ['project:diagnostics:read'] } as const;
const WRITE = { kind: 'caller', scopes: ['diagnostics:write'], permissions: ['project:diagnostics:write'] } as const;

/** Rule id of any form: an impossible id is answered like an unknown one. */
export const RuleParams = ProjectParams.extend({ ruleId: z.string() });

const RuleQuery = z.strictObject(pageQuery(500, 100));
export type RuleQuery = z.infer<typeof RuleQuery>;

export const listRules = defineRoute({
  operationId: 'listRules',
  sdk: 'rules.list',
  service: 'diagnostics-svc',
  method: 'get',
  path: '/v1/projects/:projectId/diagnostics/rules',
  tag: 'Findings',
  summary: 'List the built-in Rules with their configuration, by key',
  description:
    'A Rule looks for one kind of problem in every conversation. Rules are built in; each can be switched off and adjusted.',
  access: READ,
  params: ProjectParams,
  query: RuleQuery,
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: z.object({ rules: z.array(Rule), nextCursor: z.string().nullable() }) },
  errors: ['DIAGNOSTIC_RULES_UNAVAILABLE'],
});

export const getRule = defineRoute({
  operationId: 'getRule',
  sdk: 'rules.get',
  service: 'diagnostics-svc',
  method: 'get',
  path: '/v1/projects/:projectId/diagnostics/rules/:ruleId',
  tag: 'Findings',
  summary: 'Read one built-in Rule with its configuration',
  description: 'Its signals, what its keywords mean, and the configuration of this project.',
  access: READ,
  params: RuleParams,
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: Rule },
  errors: ['DIAGNOSTIC_RULE_NOT_FOUND', 'DIAGNOSTIC_RULES_UNAVAILABLE'],
});

export const updateRule = defineRoute({
  operationId: 'updateRule',
  sdk: 'rules.update',
  service: 'diagnostics-svc',
  method: 'patch',
  path: '/v1/projects/:projectId/diagnostics/rules/:ruleId',
  tag: 'Findings',
  summary: 'Switch a built-in Rule on or off, or change its configuration',
  description:
    'Either `enabled` or `configuration`. A Rule that is off is run no more; the Findings that it has made stay.',
  access: WRITE,
  params: RuleParams,
  body: RuleChange,
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: Rule },
  errors: ['DIAGNOSTIC_RULE_NOT_FOUND', 'DIAGNOSTIC_RULES_UNAVAILABLE'],
});
