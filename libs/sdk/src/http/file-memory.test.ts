import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { Clew } from '../clew.ts';

const MiB = 1_048_576;
const SENT_MIB = 512;
const MAX_HELD_MIB = SENT_MIB / 4;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('a file that is sent is not kept in memory', async () => {
  collectGarbage();
  const beforeBytes = process.memoryUsage().arrayBuffers;
  let heldBytes = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      // Garbage does not count, whenever it is collected.
      collectGarbage();
      heldBytes = process.memoryUsage().arrayBuffers - beforeBytes;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const parts = (function* () {
    for (let sent = 0; sent < SENT_MIB; sent += 1) yield Buffer.alloc(MiB, ' ');
  })();
  await new Clew({ baseUrl, apiKey: 'key', project: 'prj_1' }).conversations.import(parts);
  server.closeAllConnections();
  server.close();
  expect(heldBytes).toBeLessThan(MAX_HELD_MIB * MiB);
});
