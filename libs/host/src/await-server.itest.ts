import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { reachBroker } from '@clew/messaging';
import { connectMongo } from '@clew/persistence';
import { createLogger } from '@clew/runtime';
import { silentLogger, useTestEnvironment } from '@clew/testing';
import { awaitServer } from './await-server.ts';

const environment = useTestEnvironment();
const WAIT_MS = 60_000;
const doors: Server[] = [];
afterEach(() => doors.splice(0).forEach((door) => door.close()));

/** A port that leads to the server of the address once it is opened. */
async function closedDoor(address: string) {
  const { port: serverPort, hostname } = new URL(address);
  const door = createServer((socket) => {
    const onward = connect(Number(serverPort), hostname);
    socket.on('error', () => onward.destroy()).pipe(onward);
    onward.on('error', () => socket.destroy()).pipe(socket);
  });
  doors.push(door);
  const listen = (port: number) => new Promise<void>((resolve) => door.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = door.address() as AddressInfo;
  await new Promise((resolve) => door.close(resolve));
  const doorAddress = new URL(address);
  doorAddress.port = String(port);
  return { address: doorAddress, open: () => listen(port) };
}

/** A logger that opens the door when it is told that somebody waits. */
function loggerThatOpens(door: { open(): Promise<void> }) {
  const opened: Promise<void>[] = [];
  const write = (line: string) => {
    if (opened.length === 0 && line.includes('waiting for a server')) opened.push(door.open());
  };
  return { logger: createLogger({ service: 'test', version: '0', level: 'info', destination: { write } }), opened };
}

it('a migration waits for a database that comes later', async () => {
  const door = await closedDoor(environment.mongoUrl);
  door.address.search = '?directConnection=true';
  const { logger, opened } = loggerThatOpens(door);
  const options = { url: door.address.href, database: environment.database, appName: 'test', logger: silentLogger() };
  const reach = () => connectMongo({ ...options, serverSelectionTimeoutMs: 500 });
  const database = await awaitServer(reach, { server: 'database', logger, waitMs: WAIT_MS });
  expect(opened).toHaveLength(1);
  await database.ping(5_000);
  await database.close();
});

it('a migration waits for a broker that comes later', async () => {
  const door = await closedDoor(environment.amqpUrl);
  const { logger, opened } = loggerThatOpens(door);
  await awaitServer(() => reachBroker(door.address.href), { server: 'broker', logger, waitMs: WAIT_MS });
  expect(opened).toHaveLength(1);
});

it('gives up in the end, with the reason', async () => {
  const reach = () => Promise.reject(new Error('refused'));
  const options = { server: 'broker', logger: silentLogger(), waitMs: 20, maxPauseMs: 5 };
  await expect(awaitServer(reach, options)).rejects.toThrow('refused');
});
