import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.ts';
import { createTcpFault, type TcpFault } from './tcp-fault.ts';

let ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
});

/** Starts a server that records its input and answers each piece with `ok`, behind a proxy. */
async function startBehindFault() {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      received.push(bytes.toString());
      socket.write('ok');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const fault = await createTcpFault({ target: { host: '127.0.0.1', port } });
  ends.push(
    () => server.close(),
    () => fault.close(),
  );
  return { fault, received };
}

async function open(fault: TcpFault): Promise<{ socket: Socket; answers: string[] }> {
  const answers: string[] = [];
  const socket = connect(fault.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => answers.push(bytes.toString()));
  await once(socket, 'connect');
  ends.push(() => socket.destroy());
  return { socket, answers };
}

async function exchange(socket: Socket, answers: string[], text: string): Promise<void> {
  const before = answers.length;
  socket.write(text);
  await eventually(() => expect(answers.length).toBe(before + 1));
}

describe('a TCP fault', () => {
  it('forwards both ways while nothing is asked of it', async () => {
    const { fault, received } = await startBehindFault();
    const { socket, answers } = await open(fault);
    await exchange(socket, answers, 'hello');
    expect({ received, answers }).toEqual({ received: ['hello'], answers: ['ok'] });
  });

  it('cuts before the marker reaches the server', async () => {
    const { fault, received } = await startBehindFault();
    const { socket, answers } = await open(fault);
    await exchange(socket, answers, 'first');
    const cut = fault.cutBefore('marker');
    socket.write('the marker');
    await Promise.all([cut, once(socket, 'close')]);
    expect({ received, answers }).toEqual({ received: ['first'], answers: ['ok'] });
  });

  it('cuts after the server has answered, and keeps the answer to itself', async () => {
    const { fault, received } = await startBehindFault();
    const { socket, answers } = await open(fault);
    const cut = fault.cutAfter('marker');
    socket.write('the marker');
    await Promise.all([cut, once(socket, 'close')]);
    expect({ received, answers }).toEqual({ received: ['the marker'], answers: [] });
  });

  it('finds a marker that comes in two pieces', async () => {
    const { fault, received } = await startBehindFault();
    const { socket, answers } = await open(fault);
    const cut = fault.cutAfter('marker');
    await exchange(socket, answers, 'the mar');
    socket.write('ker');
    await Promise.all([cut, once(socket, 'close')]);
    expect(received).toEqual(['the mar', 'ker']);
  });

  it('stalls after the marker: the server hears it, and nothing comes back', async () => {
    const { fault, received } = await startBehindFault();
    const { socket, answers } = await open(fault);
    const stalled = fault.stallAfter('marker');
    socket.write('the marker');
    await stalled;
    await eventually(() => expect(received).toEqual(['the marker']));
    const { socket: other, answers: otherAnswers } = await open(fault);
    await exchange(other, otherAnswers, 'unaffected');
    expect(answers).toEqual([]);
    expect(socket.destroyed).toBe(false);
  });

  it('happens once', async () => {
    const { fault } = await startBehindFault();
    const first = await open(fault);
    const cut = fault.cutBefore('marker');
    first.socket.write('marker');
    await cut;
    const second = await open(fault);
    await exchange(second.socket, second.answers, 'marker');
  });

  it('blocks old and new connections until it is told otherwise', async () => {
    const { fault } = await startBehindFault();
    const first = await open(fault);
    await exchange(first.socket, first.answers, 'hello');
    fault.block();
    await once(first.socket, 'close');
    const refused = await open(fault);
    await once(refused.socket, 'close');
    fault.unblock();
    const second = await open(fault);
    await exchange(second.socket, second.answers, 'hello again');
  });
});

describe('the URL through a TCP fault', () => {
  it('leads to the proxy, and keeps a MongoDB driver from looking past it', async () => {
    const { fault } = await startBehindFault();
    expect(fault.through('amqp://user:secret@broker:5672/vhost?heartbeat=5')).toBe(
      `amqp://user:secret@127.0.0.1:${fault.port}/vhost?heartbeat=5`,
    );
    expect(fault.through('mongodb://db:27017/?replicaSet=rs0')).toBe(
      `mongodb://127.0.0.1:${fault.port}/?directConnection=true`,
    );
  });
});
