import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@clew/runtime';
import { eventually, startSmtpServer, type TestSmtpServer } from '@clew/testing';
import { createMailer, type Letter, type Mailer } from './mailer.ts';

const TOKEN = 'a-token-that-nobody-else-may-see';
const LETTER: Letter = { to: 'ada@example.com', subject: 'Invitation', text: `https://clew.example/i/${TOKEN}` };

let server: TestSmtpServer;
let log = '';
const logger = createLogger({
  ...{ service: 'mail', version: '0', level: 'trace' },
  destination: { write: (line: string) => void (log += line) },
});
let mailer: Mailer;

function open(url: string | undefined, deadlineMs = 5_000): Mailer {
  const config = { SMTP_URL: url, MAIL_FROM: 'Clew <clew@example.com>', MAIL_TIMEOUT_MS: deadlineMs };
  return createMailer({ config, publicUrl: 'https://clew.example', logger });
}

beforeAll(async () => {
  server = await startSmtpServer();
});
afterEach(async () => {
  server.behaviour = 'takes';
  await mailer.start().stop();
});
afterAll(() => server.stop());

describe('a letter', () => {
  it('arrives with its address, its sender and its text', async () => {
    mailer = open(server.url);
    expect(await mailer.send(LETTER)).toBe('sent');
    const [letter] = server.letters;
    for (const part of ['From: Clew <clew@example.com>', 'To: ada@example.com', 'Subject: Invitation', TOKEN]) {
      expect(letter).toContain(part);
    }
  });

  it('never gets another header from what people wrote', async () => {
    mailer = open(server.url);
    await mailer.send({ ...LETTER, subject: 'Hello\r\nBcc: eve@example.com' });
    expect(server.letters.at(-1)).not.toMatch(/^Bcc:/im);
  });

  it('fails by the deadline at a server that hangs, and leaves no connection', async () => {
    server.behaviour = 'hangs';
    mailer = open(server.url, 200);
    expect(await mailer.send(LETTER)).toBe('failed');
    await eventually(() => {
      if (server.open() > 0) throw new Error('a connection is open');
    });
  });

  it('fails at a server that refuses it, or that is not there', async () => {
    server.behaviour = 'refuses';
    mailer = open(server.url);
    expect(await mailer.send(LETTER)).toBe('failed');
    const gone = await startSmtpServer();
    await gone.stop();
    mailer = open(gone.url);
    expect(await mailer.send(LETTER)).toBe('failed');
  });

  it('fails at once when a hundred others wait, and when the process ends', async () => {
    server.behaviour = 'hangs';
    mailer = open(server.url);
    const waiting = Array.from({ length: 100 }, () => mailer.send(LETTER));
    expect(await mailer.send(LETTER)).toBe('failed');
    await mailer.start().stop();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['failed']));
  });

  it('leaves nothing of itself in the log', () => {
    expect(log).toContain('could not be sent');
    expect(log).not.toMatch(/token-that-nobody|ada@example/);
  });
});
