// Service that does no work: it answers every request with 1 KB of JSON. Prints its port.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const BODY_BYTES = 1024;
const EMPTY = JSON.stringify({ filler: '' });
const body = Buffer.from(JSON.stringify({ filler: 'x'.repeat(BODY_BYTES - EMPTY.length) }));

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
