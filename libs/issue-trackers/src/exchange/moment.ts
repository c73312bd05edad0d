import { z } from 'zod';

/** Time in an answer, in ISO 8601 with any offset, as epoch milliseconds. */
export const Moment = z.string().transform((text, context) => {
  // Jira writes offsets without a colon (`+0000`).
  const ms = Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  if (!Number.isNaN(ms)) return ms;
  context.addIssue({ code: 'custom', message: 'must be a time' });
  return z.NEVER;
});
