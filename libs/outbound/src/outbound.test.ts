import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createOutbound, OutboundRefusedError, type OutboundOptions } from './outbound.ts';

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

function outbound(options: Partial<OutboundOptions> = {}) {
  const made = createOutbound({ allowCidrs: ['127.0.0.1/32'], ...options });
  cleanups.push(() => made.close());
  return made;
}

/** Creates a lookup that resolves every name to these addresses, one per call. */
function resolvingTo(...addresses: string[]): LookupFunction {
  let calls = 0;
  return (_hostname, _options, callback) => {
    const address = addresses[Math.min(calls, addresses.length - 1)] ?? '';
    calls += 1;
    callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
  };
}

it('may be closed again, by whoever else ends the process', async () => {
  const made = outbound();
  await made.close();
  await expect(made.close()).resolves.not.toThrow();
});

describe('an outbound call', () => {
  it('reaches a host whose address is allowed', async () => {
    const port = await serve((_request, response) => response.end('hello'));
    const { fetch } = outbound({ lookup: resolvingTo('127.0.0.1') });
    expect(await (await fetch(`http://provider.example:${port}/`)).text()).toBe('hello');
  });

  it.each(['127.0.0.2', '10.0.0.1', '169.254.169.254', '::1', '::ffff:169.254.169.254'])(
    'never reaches a name that resolves to %s',
    async (address) => {
      const { fetch } = outbound({ lookup: resolvingTo(address) });
      await expect(fetch('http://provider.example:8099/')).rejects.toThrow(OutboundRefusedError);
    },
  );

  it('is checked at the connection: a name that resolves differently the second time is refused then', async () => {
    const port = await serve((_request, response) => response.setHeader('connection', 'close').end('hello'));
    const { fetch } = outbound({ lookup: resolvingTo('127.0.0.1', '10.0.0.1') });
    expect((await fetch(`http://provider.example:${port}/`)).status).toBe(200);
    await expect(fetch(`http://provider.example:${port}/`)).rejects.toThrow(OutboundRefusedError);
  });

  it.each([301, 302, 303, 307, 308])(
    'is over with a redirect (%i): nothing is sent on, whatever header holds the key',
    async (status) => {
      const seen: string[] = [];
      const other = await serve((request, response) => {
        seen.push(`other ${request.url}`);
        response.end('here');
      });
      const port = await serve((request, response) => {
        seen.push(`first ${request.url}`);
        const location = request.url === '/away' ? `http://127.0.0.1:${other}/` : '/here';
        response.writeHead(status, { location }).end();
      });
      const headers = { authorization: 'Bearer secret', 'api-key': 'secret' };
      for (const path of ['/away', '/near']) {
        expect((await outbound().fetch(`http://127.0.0.1:${port}${path}`, { headers })).status).toBe(status);
      }
      expect(seen).toEqual(['first /away', 'first /near']);
    },
  );

  it.each([
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'http://user:password@127.0.0.1/',
    'not a URL',
    'http://0x7f000002/',
    'http://2130706434/',
    'http://[::ffff:7f00:2]/',
  ])('is refused for the URL %s, without the address in the message', (url) => {
    expect(() => outbound().checkUrl(url)).toThrow(OutboundRefusedError);
    expect(() => outbound().checkUrl(url)).not.toThrow(/127|:password@/);
  });
});
