import { z } from 'zod';

export const SPLITS = ['train', 'validation', 'test'] as const;
export type Split = (typeof SPLITS)[number];

/** Whole percentages of train, validation and test. */
export const SplitRatio = z
  .string()
  .regex(/^\d{1,3},\d{1,3},\d{1,3}$/, 'must be three percentages such as 80,10,10')
  .transform((text) => text.split(',').map(Number) as [train: number, validation: number, test: number])
  .refine(([train, validation, test]) => train + validation + test === 100, 'must add up to 100');
export type SplitRatio = z.output<typeof SplitRatio>;

/** Query parameters that restrict Examples to one split. */
export const OfSplit = {
  split: z.enum(SPLITS).optional(),
  ratio: SplitRatio.optional().meta({ description: 'Percentages of train, validation and test: 80,10,10' }),
} as const;

export function hasSplitForRatio({ split, ratio }: { split?: unknown; ratio?: unknown }): boolean {
  return ratio === undefined || split !== undefined;
}
export const RATIO_NEEDS_SPLIT = { path: ['ratio'], error: 'is only of use together with split' };
