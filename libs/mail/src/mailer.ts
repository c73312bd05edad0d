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
  /** Sends a letter as `send` does, and resolves with why it failed; undefined once the mail server has it. */
  attempt(letter: Letter): Promise<string | undefined>;
  start(): BackgroundTask;
}

export interface MailerOptions {
  config: MailConfig;
  /** Address at which people reach Clew; letters come from its host if nothing else is said. */
  publicUrl: string;
  logger: Logger;
}

/** Values of `mailVariables`. */
export interface MailConfig {
  SMTP_URL?: string | undefined;
  MAIL_FROM?: string | undefined;
  MAIL_TIMEOUT_MS: number;
}

const LETTERS_AT_A_TIME = 2;
/** Letters that wait or are being sent; beyond, a letter fails at once. */
const MAX_LETTERS = 100;

export function createMailer({ config, publicUrl, logger }: MailerOptions): Mailer {
  const { SMTP_URL: url, MAIL_TIMEOUT_MS: deadlineMs } = config;
  const from = config.MAIL_FROM ?? `Clew <no-reply@${new URL(publicUrl).hostname}>`;
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

  async function attempt(letter: Letter): Promise<string | undefined> {
    if (letters >= MAX_LETTERS) return 'too many letters wait';
    letters += 1;
    try {
      await deliver(letter);
      return undefined;
    } catch (error) {
      const reason = reasonOf(error);
      logger.warn({ reason }, 'a letter could not be sent');
      return reason;
    } finally {
      letters -= 1;
    }
  }

  return {
    isOn: transport !== undefined,
    attempt,
    send: async (letter) => ((await attempt(letter)) === undefined ? 'sent' : 'failed'),
    start: () => ({ name: 'mail', stop: () => ending.abort() }),
  };
}

/** Code of a failure. Its message is left out, since a server may repeat the letter in its answer. */
function reasonOf(error: unknown): string {
  const { code, responseCode, name } = (error ?? {}) as { code?: unknown; responseCode?: unknown; name?: unknown };
  return [name, code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
}
