import { z } from 'zod';
import { EpochMs, textOf } from '../common/primitives.ts';
import { Severity } from './detection.ts';

/** Maximum number of active Expectations of a project. */
export const MAX_ACTIVE_EXPECTATIONS = 200;

export const EXPECTATION_SOURCES = ['authored', 'compiled'] as const;
export const EXPECTATION_STATUSES = ['active', 'proposed', 'off'] as const;

export const ExpectationId = z.string().regex(/^exp_[0-9A-Z]{26}$/, 'must be an expectation id');

const LineOfText = textOf(200)
  .min(1)
  .refine((text) => text.trim() === text && !/[\t\n\r]/.test(text), 'must be one line without spaces around it');

const ToolPattern = LineOfText.meta({ description: 'The name of a tool, or a glob: `*` stands for any characters' });
const ToolPatterns = z.array(ToolPattern).min(1).max(50);
const Pattern = textOf(500).min(1).meta({ description: 'A regular expression in the syntax of RE2' });

/** Common member of every form: the agent whose steps it checks. */
const OF_AGENT = {
  agent: LineOfText.optional().meta({ description: 'The agent whose steps are checked; without it, all agents' }),
};
const OF_TOOLS = { ...OF_AGENT, tools: ToolPatterns };

const ConfirmBefore = z
  .strictObject({ form: z.literal('confirm_before'), ...OF_TOOLS })
  .meta({ description: 'The user agreed, in the words before the call, to what the call does' });
const RequiresFirst = z
  .strictObject({ form: z.literal('requires_first'), ...OF_TOOLS, one_of: ToolPatterns })
  .meta({ description: 'A successful call of one of the other tools came before' });
const NeverCall = z
  .strictObject({ form: z.literal('never_call'), ...OF_TOOLS })
  .meta({ description: 'The tools are not called' });
const MaxCalls = z
  .strictObject({ form: z.literal('max_calls'), ...OF_TOOLS, count: z.int().min(1).max(10_000) })
  .meta({ description: 'At most so many calls in a conversation; calls that failed do not count' });
const OneCallAtATime = z
  .strictObject({ form: z.literal('one_call_at_a_time'), ...OF_AGENT })
  .meta({ description: 'No step calls two tools' });
const NoWordsWithCalls = z
  .strictObject({ form: z.literal('no_words_with_calls'), ...OF_AGENT })
  .meta({ description: 'A step that calls a tool says nothing' });
const GroundedArguments = z
  .strictObject({
    form: z.literal('grounded_arguments'),
    ...OF_TOOLS,
    parameters: z.array(LineOfText).min(1).max(50).optional().meta({
      description: 'The parameters that are checked; without it, every value that looks like an id, number or address',
    }),
  })
  .meta({ description: 'Each value occurs in what a user, a tool or the prompt said before' });
const AnswerMatches = z
  .strictObject({ form: z.literal('answer_matches'), ...OF_AGENT, pattern: Pattern })
  .meta({ description: 'Each answer matches' });
const AnswerNeverMatches = z
  .strictObject({ form: z.literal('answer_never_matches'), ...OF_AGENT, pattern: Pattern })
  .meta({ description: 'No message of the agent matches' });
const EndsWith = z
  .strictObject({
    form: z.literal('ends_with'),
    ...OF_AGENT,
    tools: ToolPatterns.optional(),
    pattern: Pattern.optional(),
  })
  .refine(({ tools, pattern }) => tools !== undefined || pattern !== undefined, 'must have tools, a pattern or both')
  .meta({ description: 'The conversation ends with a call of one of the tools, or with an answer that matches' });

/** Check of an Expectation: one of a closed set of forms. */
export const ExpectationCheck = z
  .discriminatedUnion('form', [
    ConfirmBefore,
    RequiresFirst,
    NeverCall,
    MaxCalls,
    OneCallAtATime,
    NoWordsWithCalls,
    GroundedArguments,
    AnswerMatches,
    AnswerNeverMatches,
    EndsWith,
  ])
  .meta({ id: 'ExpectationCheck' });
export type ExpectationCheck = z.infer<typeof ExpectationCheck>;
export type ExpectationForm = ExpectationCheck['form'];

export const ExpectationStatement = textOf(1000).min(1).meta({ description: 'What is expected, in words' });

/** Instruction to an agent, checked at every step of every conversation. */
export const Expectation = z
  .strictObject({
    id: ExpectationId,
    projectId: z.string(),
    statement: ExpectationStatement,
    source: z.enum(EXPECTATION_SOURCES),
    quote: z
      .string()
      .min(1)
      .max(2000)
      .optional()
      .meta({ description: 'The sentence of the prompt that it comes from' }),
    promptHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .meta({ description: 'Of the prompt with its variable parts masked' }),
    status: z.enum(EXPECTATION_STATUSES),
    severity: Severity,
    check: ExpectationCheck,
    createdAt: EpochMs,
    updatedAt: EpochMs,
  })
  .meta({ id: 'Expectation' });
export type Expectation = z.infer<typeof Expectation>;
export type ExpectationStatus = Expectation['status'];

/** Members of an Expectation that its evaluation reads. */
export const CheckedExpectation = Expectation.pick({
  id: true,
  statement: true,
  severity: true,
  check: true,
  quote: true,
});
export type CheckedExpectation = z.infer<typeof CheckedExpectation>;
