import { z } from 'zod';
import { integerVariable } from '@clew/runtime';

/** Variables of processes that send letters. */
export const mailVariables = {
  /** Mail server, `smtp://` or `smtps://`, with user and password if it needs them. Without one, no letter is sent. */
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must be an smtp:// URL')
    .optional(),
  /** Sender of mail; by default `no-reply` at the host of PUBLIC_URL. */
  MAIL_FROM: z.string().min(3).max(320).optional(),
  /** Time limit for a letter, in milliseconds, from its turn to its acceptance by the mail server. */
  MAIL_TIMEOUT_MS: integerVariable(100, 120_000, 15_000),
} as const;
