import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '@clew/stack';
import { startProgram, type Child } from '../support/child.ts';
import { findOnPath } from '../support/find-on-path.ts';
import { waitForAnswer } from '../support/wait-for-answer.ts';

/** Starts nginx as a proxy with one worker and keep-alive upstream connections; undefined if it is not installed. */
export async function startNginx(
  folder: string,
  upstreamPort: number,
): Promise<(Child & { port: number }) | undefined> {
  const program = findOnPath('nginx');
  if (program === undefined) return undefined;
  const port = await findFreePort();
  const home = join(folder, 'nginx');
  mkdirSync(home, { recursive: true });
  const file = join(home, 'nginx.conf');
  writeFileSync(file, configuration(home, port, upstreamPort));
  const child = startProgram(program, ['-c', file, '-p', home, '-e', join(home, 'error.log')]);
  await waitForAnswer(`http://127.0.0.1:${port}/`);
  return { ...child, port };
}

function configuration(home: string, port: number, upstreamPort: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(home, name)};`)
    .join('\n  ');
  return `daemon off;
worker_processes 1;
pid ${join(home, 'nginx.pid')};
events { worker_connections 512; }
http {
  access_log ${join(home, 'access.log')};
  keepalive_requests 1000000000;
  ${temporary}
  upstream service { server 127.0.0.1:${upstreamPort}; keepalive 64; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}
`;
}
