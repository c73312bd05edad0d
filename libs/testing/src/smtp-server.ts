import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** Behaviour of the server: it takes letters, never says a word, or refuses each address and repeats the letter's. */
export type SmtpBehaviour = 'takes' | 'hangs' | 'refuses';

export interface TestSmtpServer {
  url: string;
  behaviour: SmtpBehaviour;
  /** Letters taken, as they were sent. */
  letters: string[];
  /** Connections that are open. */
  open(): number;
  stop(): Promise<void>;
}

/** Mail server on loopback that speaks as much SMTP as a client needs. */
export async function startSmtpServer(): Promise<TestSmtpServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    if (state.behaviour !== 'hangs') converse(socket, state);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const state: TestSmtpServer = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behaviour: 'takes',
    letters: [],
    open: () => sockets.size,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      sockets.forEach((socket) => socket.destroy());
      await closed;
    },
  };
  return state;
}

function converse(socket: Socket, state: TestSmtpServer): void {
  let letter: string | undefined;
  let buffered = '';
  const say = (line: string) => socket.write(`${line}\r\n`);
  const answers: Readonly<Record<string, string>> = { EHLO: '250 loopback', MAIL: '250 ok', QUIT: '221 bye' };
  say('220 loopback');
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    buffered += chunk;
    const lines = buffered.split('\r\n');
    buffered = lines.pop() ?? '';
    lines.forEach(take);
  });

  function take(line: string): void {
    if (letter !== undefined) {
      if (line !== '.') letter += `${line}\n`;
      else {
        state.letters.push(letter);
        letter = undefined;
        say('250 taken');
      }
      return;
    }
    const command = line.slice(0, 4).toUpperCase();
    if (command === 'RCPT') say(state.behaviour === 'refuses' ? `550 nobody here: ${line}` : '250 ok');
    else if (command === 'DATA') {
      letter = '';
      say('354 go on');
    } else say(answers[command] ?? '502 what?');
  }
}
