// Usage: node express-proxy.ts TARGET_URL. Prints its port.
// Baseline of the benchmarks `gateway` and `inference`: Express 5 and http-proxy-middleware with a keep-alive agent, and
// nothing else.
import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';

const [target = ''] = process.argv.slice(2);
const app = express();
app.use(createProxyMiddleware({ target, agent: new Agent({ keepAlive: true }) }));
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
