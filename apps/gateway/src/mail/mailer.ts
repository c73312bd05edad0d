import { createTransport } from 'nodemailer';
import { createLimiter } from '@clew/kernel';
import type { BackgroundTask, Logger } from '@clew/runtime';

export interface Letter {
  to: string;
  subject: string;
  text: string;
}

/** Sends letters in the background; a server that hangs or refuses costs nobody else anything. */
export interface Mailer {
  /** Whether there is a mail server. */
  readonly isOn: boolean;
  /**
   * Sends a letter within the deadline. Resolves with the outcome; never rejects. What it writes to the log has no part
   * of the letter.
   */
  send(letter: Letter): Promise<'sent' | 'failed'>;
  start(): BackgroundTask;
}

export interface MailerOptions {
  /** `smtp://` or `smtps://`; undefined without a mail server. */
  url: string | undefined;
  from: string;
  deadlineMs: number;
  logger: Logger;
}

const LETTERS_AT_A_TIME = 2;
/** Letters that wait or are being sent; beyond, a letter fails at once. */
const MAX_LETTERS = 100;

export function createMailer({ url, from, deadlineMs, logger }: MailerOptions): Mailer {
  const ending = new AbortController();
  const limiter = createLimiter(LETTERS_AT_A_TIME);
  // Neither a file nor an address that a letter names is ever read.
  const guards = { disableFileAccess: true, disableUrlAccess: true, logger: false };
  const transport = url === undefined ? undefined : createTransport({ url, ...guards });
  let letters = 0;

  async function deliver({ to, subject, text }: Letter): Promise<void> {
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(deadlineMs)]);
    await limiter.run(async () => {
      // An address as an object is taken as it is, not parsed as a list of addresses.
      await transport?.sendMail({ from, to: { name: '', address: to }, subject, text, signal });
    }, signal);
  }

  return {
    isOn: transport !== undefined,
    async send(letter) {
      if (letters >= MAX_LETTERS) return 'failed';
      letters += 1;
      try {
        await deliver(letter);
        return 'sent';
      } catch (error) {
        logger.warn({ reason: reasonOf(error) }, 'a letter could not be sent');
        return 'failed';
      } finally {
        letters -= 1;
      }
    },
    start: () => ({ name: 'mail', stop: () => ending.abort() }),
  };
}

/** Code of a failure. Its message is left out, since a server may repeat the letter in its answer. */
function reasonOf(error: unknown): string {
  const { code, responseCode, name } = (error ?? {}) as { code?: unknown; responseCode?: unknown; name?: unknown };
  return [name, code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
}
