import fs from 'node:fs';
import path from 'node:path';
import { APPS } from '../stack/apps.ts';

// Answers like an application, and returns the environment it got.
const MAIN = `
import { createServer } from 'node:http';
const keys = process.env.FAKE_ACCEPTED_KEY;
const server = createServer((request, response) => {
  if (request.url === '/environment') return response.end(JSON.stringify(process.env));
  if (request.url === '/v1/me' && keys !== undefined && request.headers.authorization !== 'Bearer ' + keys) {
    return response.writeHead(401).end();
  }
  response.end('ok');
});
if (process.env.FAKE_BROKEN_APP && process.argv[1].includes('/' + process.env.FAKE_BROKEN_APP + '/')) {
  console.error('this application is broken on purpose');
  process.exit(3);
}
server.listen(Number(process.env.PORT), process.env.HOST, () => console.log('listening'));
process.on('SIGTERM', () => server.close(() => process.exit(0)));
process.on('SIGTERM', () => server.closeAllConnections());
`;

const MIGRATE = `console.log('migrated');\n`;

const BOOTSTRAP = `
import { appendFileSync } from 'node:fs';
appendFileSync(new URL('./bootstraps', import.meta.url), 'x');
console.log(JSON.stringify({ level: 30, msg: 'a log line' }));
console.log(JSON.stringify({
  workspaceId: 'ws_1', projectId: 'prj_1', apiKey: 'clew_one', otherProjectId: 'prj_2', otherApiKey: 'clew_two',
}));
`;

/** Writes applications that only answer probes into the directory, laid out like the real ones after a build. */
export function writeFakeApps(directory: string): void {
  fs.mkdirSync(directory, { recursive: true });
  fs.writeFileSync(path.join(directory, 'package.json'), '{"type":"module"}\n');
  for (const app of APPS) {
    const dist = path.join(directory, app.name, 'dist');
    fs.mkdirSync(dist, { recursive: true });
    fs.writeFileSync(path.join(dist, 'main.js'), MAIN);
    if (app.hasMigrations) fs.writeFileSync(path.join(dist, 'migrate.js'), MIGRATE);
    if (app.name === 'gateway') fs.writeFileSync(path.join(dist, 'bootstrap.js'), BOOTSTRAP);
  }
}

/** Number of runs of the fake bootstrap. */
export function bootstrapCount(directory: string): number {
  const file = path.join(directory, 'gateway', 'dist', 'bootstraps');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').length : 0;
}
