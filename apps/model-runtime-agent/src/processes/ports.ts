import { createServer } from 'node:net';

/** Finds a port that is free at this moment; another process may still bind it first. */
export async function freePort(host: string): Promise<number> {
  const port = await tryPort(host, 0);
  if (port === undefined) throw new Error(`There is no free port on ${host}`);
  return port;
}

export async function isPortTaken(host: string, port: number): Promise<boolean> {
  return (await tryPort(host, port)) === undefined;
}

function tryPort(host: string, wanted: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(wanted, host, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(port));
    });
  });
}
