import type { Api } from '@clew/sdk';
import type { OptionSpec, Verb } from '../command.ts';
import { usageError } from '../exit.ts';
import { own, wholeNumber } from '../options.ts';
import { column, type Column } from '../output/cells.ts';

/** Quotas, with the names of their options. */
const NAMES = {
  ingestedBytesPerDay: '--ingested-bytes-per-day',
  ingestedRecordsPerDay: '--ingested-records-per-day',
  inferenceTokensPerDay: '--inference-tokens-per-day',
  inferenceTokensPerMonth: '--inference-tokens-per-month',
  storedBytes: '--stored-bytes',
} as const;
type Name = keyof typeof NAMES;

type Answer = Api.GetQuotasResponse;

const FIELDS: readonly Column<Answer>[] = [
  ...(Object.keys(NAMES) as Name[]).map((name) => column<Answer>(name, ({ quotas }) => quotas[name])),
  column('changed', ({ updatedAt }) => ({ at: updatedAt })),
];

const OPTIONS: readonly OptionSpec[] = Object.values(NAMES).map((flags) =>
  own(`${flags} <count>`, 'limit, or none', {
    parse: (given) => (given === 'none' ? given : wholeNumber(given)),
  }),
);

/** Verbs of quotas. */
export const VERBS: readonly Verb[] = [
  {
    ...{ name: 'show', summary: 'show the limits of the project', example: 'quotas show' },
    async run(context) {
      const clew = await context.client();
      await context.output.record(await clew.quotas.get({ signal: context.signal }), FIELDS);
    },
  },
  {
    ...{ name: 'set', summary: 'set limits of the project', options: OPTIONS },
    example: 'quotas set --ingested-records-per-day 100000 --stored-bytes none',
    async run(context) {
      const entries = (Object.keys(NAMES) as Name[]).flatMap((name) => {
        const value = context.options[name] as number | 'none' | undefined;
        return value === undefined ? [] : [[name, value === 'none' ? null : value] as const];
      });
      if (entries.length === 0) throw usageError('Say which limit');
      const clew = await context.client();
      const quotas = await clew.quotas.set(Object.fromEntries(entries), { signal: context.signal });
      await context.output.record(quotas, FIELDS);
    },
  },
];
