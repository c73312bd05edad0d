import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { useTemporaryDirectory } from '../test-support/temporary-directory.ts';
import { createPortBook, isPortFree, isPortServed } from './ports.ts';

const directory = useTemporaryDirectory();

async function occupy(port: number): Promise<net.Server> {
  const server = net.createServer().listen({ host: '127.0.0.1', port });
  await once(server, 'listening');
  return server;
}

describe('the port book', () => {
  it('gives a name the same port at every start', async () => {
    const file = path.join(directory(), 'same.json');
    const port = await createPortBook(file).claim('mongod');
    expect(await createPortBook(file).claim('mongod')).toBe(port);
  });

  it('gives different ports to different names, also when they ask at once', async () => {
    const book = createPortBook(path.join(directory(), 'different.json'));
    const ports = await Promise.all(['a', 'b', 'c', 'd'].map((name) => book.claim(name)));
    expect(new Set(ports).size).toBe(4);
  });

  it('chooses anew when somebody else has taken the port', async () => {
    const file = path.join(directory(), 'anew.json');
    const port = await createPortBook(file).claim('mongod');
    const server = await occupy(port);
    const other = await createPortBook(file).claim('mongod');
    server.close();
    expect(other).not.toBe(port);
    expect(await createPortBook(file).claim('mongod')).toBe(other);
  });

  it('stays below the range of the source ports of outgoing connections', async () => {
    const port = await createPortBook(path.join(directory(), 'range.json')).claim('mongod');
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_000);
  });
});

describe('asking for a port', () => {
  it('tells a served port from a free one', async () => {
    const server = await occupy(0);
    const { port } = server.address() as net.AddressInfo;
    expect([await isPortFree(port), await isPortServed(port)]).toEqual([false, true]);
    server.close();
    await once(server, 'close');
    expect([await isPortFree(port), await isPortServed(port)]).toEqual([true, false]);
  });
});
