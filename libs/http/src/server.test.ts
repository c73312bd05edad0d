import { once } from 'node:events';
import { Agent, request as sendRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { listen } from './server.ts';
import { until } from './test-support/until.ts';

async function ask(port: number, agent: Agent, path = '/'): Promise<IncomingMessage> {
  const [response] = (await once(sendRequest({ port, agent, path }).end(), 'response')) as [IncomingMessage];
  return response;
}

async function errorOfConnecting(port: number): Promise<string | undefined> {
  const [error] = (await once(connect(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
  return error.code;
}

describe('stop', () => {
  it('waits for what is in flight, which is answered whole', async () => {
    const { promise: mayFinish, resolve: finish } = Promise.withResolvers<void>();
    const server = await listen(
      async (_request, response) => {
        response.write('first half, ');
        await mayFinish;
        response.end('second half');
      },
      { host: '127.0.0.1', port: 0 },
    );
    const agent = new Agent({ keepAlive: true });
    const response = await ask(server.port, agent);
    let stopped = false;
    const stopping = server.stop().then(() => (stopped = true));
    expect(await errorOfConnecting(server.port)).toBe('ECONNREFUSED');
    expect(stopped).toBe(false);
    finish();
    let text = '';
    for await (const chunk of response) text += String(chunk);
    expect(text).toBe('first half, second half');
    await stopping;
    agent.destroy();
  });

  it('refuses new connections at once', async () => {
    const server = await listen((_request, response) => response.end(), { host: '127.0.0.1', port: 0 });
    await server.stop();
    expect(await errorOfConnecting(server.port)).toBe('ECONNREFUSED');
  });

  it('ends also while a caller goes on asking over a kept connection', async () => {
    const server = await listen(
      async (_request, response) => {
        await nextTurn();
        response.end('ok');
      },
      { host: '127.0.0.1', port: 0 },
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let asking = true;
    let answers = 0;
    const caller = (async () => {
      while (asking) {
        const response = await ask(server.port, agent);
        response.resume();
        await once(response, 'end');
        answers += 1;
      }
    })().catch(() => 'refused');
    await until(() => answers === 2);
    const startedAtMs = Date.now();
    await server.stop();
    expect(Date.now() - startedAtMs).toBeLessThan(5_000);
    expect(await caller).toBe('refused');
    asking = false;
    agent.destroy();
  });

  it('waits for no connection over which nothing was ever asked', async () => {
    const server = await listen((_request, response) => response.end(), { host: '127.0.0.1', port: 0 });
    const accepted = once(server.server, 'connection');
    const silent = connect(server.port, '127.0.0.1');
    await accepted;
    let closedByServer = false;
    silent.resume().once('end', () => (closedByServer = true));
    const stopping = server.stop();
    try {
      await until(() => closedByServer);
    } finally {
      silent.destroy();
    }
    await stopping;
  });

  it('closes connections that are idle', async () => {
    const server = await listen((_request, response) => response.end(), { host: '127.0.0.1', port: 0 });
    const agent = new Agent({ keepAlive: true });
    (await ask(server.port, agent)).resume();
    await until(() => Object.keys(agent.freeSockets).length === 1);
    await server.stop();
    agent.destroy();
  });
});

describe('stop, as a lame duck', () => {
  const answering = () => listen((_request, response) => response.end('ok'), { host: '127.0.0.1', port: 0 });

  it('serves on meanwhile, and tells each caller to take another connection', async () => {
    const server = await answering();
    const agent = new Agent({ keepAlive: true });
    (await ask(server.port, agent)).resume();
    await until(() => Object.keys(agent.freeSockets).length === 1);
    const stopping = server.stop({ lameDuckMs: 60_000 });
    const response = await ask(server.port, agent);
    response.resume();
    expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
    await stopping;
    expect(await errorOfConnecting(server.port)).toBe('ECONNREFUSED');
    agent.destroy();
  });

  it('breaks off no request of those who ask all the time, until each has been told', async () => {
    const server = await answering();
    const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const answered = new Set<Agent>();
    const askOn = async (agent: Agent): Promise<void> => {
      for (let isTold = false; !isTold;) {
        const response = await ask(server.port, agent);
        response.resume();
        await once(response, 'end');
        answered.add(agent);
        isTold = response.headers.connection === 'close';
      }
    };
    const callers = Promise.all(agents.map(askOn));
    await until(() => answered.size === agents.length);
    await server.stop({ lameDuckMs: 60_000 });
    await callers;
    for (const agent of agents) agent.destroy();
  });

  it('does not wait for callers that nobody has', async () => {
    const server = await answering();
    const startedAtMs = Date.now();
    await server.stop({ lameDuckMs: 60_000 });
    expect(Date.now() - startedAtMs).toBeLessThan(5_000);
  });
});

describe('listen', () => {
  it.each([
    ['100-continue', 'HTTP/1.1 100 Continue'],
    ['a-miracle', 'HTTP/1.1 417 Expectation Failed'],
  ])('answers a caller that expects %s before it sends a body', async (expected, answer) => {
    const server = await listen((_request, response) => response.end(), { host: '127.0.0.1', port: 0 });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 2\r\nexpect: ${expected}\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toContain(answer);
    socket.destroy();
    await server.stop();
  });

  it('rejects when the port is taken', async () => {
    const server = await listen((_request, response) => response.end(), { host: '127.0.0.1', port: 0 });
    const again = listen((_request, response) => response.end(), { host: '127.0.0.1', port: server.port });
    await expect(again).rejects.toThrow('EADDRINUSE');
    await server.stop();
  });

  it('keeps connections open longer than the gateway does', async () => {
    const { server, stop } = await listen((_request, response) => response.end(), { host: '127.0.0.1', port: 0 });
    expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
    await stop();
  });
});

describe('stop, with a time for what is in flight', () => {
  it('refuses what has no answer by then, cuts what has one by half, and ends', async () => {
    let arrived = 0;
    const server = await listen(
      (request, response) => {
        arrived += 1;
        if (request.url === '/half') response.write('half');
      },
      { host: '127.0.0.1', port: 0 },
    );
    const agent = new Agent({ keepAlive: true });
    const half = await ask(server.port, agent, '/half');
    const cut = once(half.resume(), 'error');
    const waiting = ask(server.port, agent, '/none');
    await until(() => arrived === 2);
    await server.stop({
      drainMs: 20,
      refuse: (_request, response) => void response.writeHead(503).end('stopping'),
    });
    expect((await waiting).statusCode).toBe(503);
    const [error] = (await cut) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
    agent.destroy();
  });

  it('tells readers of events that they end, whatever still feeds them', async () => {
    const source = new PassThrough();
    const server = await listen(
      (_request, response) => {
        response.setHeader('content-type', 'text/event-stream');
        source.pipe(response);
        response.once('prefinish', () => source.write('data: three\n\n'));
        source.write('data: one\n\ndata: tw');
      },
      { host: '127.0.0.1', port: 0 },
    );
    const agent = new Agent({ keepAlive: true });
    const response = await ask(server.port, agent);
    const stopped = server.stop({ drainMs: 20, refuse: (_request, refused) => void refused.destroy() });
    let text = '';
    for await (const chunk of response) text += String(chunk);
    await stopped;
    const [one, , told, ...rest] = text.split('\n\n');
    expect([one, rest]).toEqual(['data: one', ['']]);
    expect(JSON.parse(told?.replace('data: ', '') ?? '')).toMatchObject({
      error: { type: 'server_error', code: 'upstream_unavailable', message: expect.stringContaining('is stopping') },
    });
    agent.destroy();
  });

  it('is over as soon as nothing is in flight', async () => {
    const { promise: mayFinish, resolve: finish } = Promise.withResolvers<void>();
    const server = await listen(
      async (_request, response) => {
        response.write('whole');
        await mayFinish;
        response.end(' answer');
      },
      { host: '127.0.0.1', port: 0 },
    );
    const agent = new Agent({ keepAlive: true });
    const response = await ask(server.port, agent);
    const startedAtMs = Date.now();
    const stopped = server.stop({ drainMs: 60_000 });
    finish();
    let text = '';
    for await (const chunk of response) text += String(chunk);
    await stopped;
    expect(text).toBe('whole answer');
    expect(Date.now() - startedAtMs).toBeLessThan(10_000);
    agent.destroy();
  });
});
