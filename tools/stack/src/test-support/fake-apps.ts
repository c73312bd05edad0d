import fs from 'node:fs';
import path from 'node:path';
import { scriptArguments } from '../stack/app-programs.ts';
import type { AppPrograms } from '../stack/app-programs.ts';
import { APPS, GATEWAY } from '../stack/apps.ts';

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
appendFileSync(new URL('./.bootstraps', import.meta.url), 'x');
console.log(JSON.stringify({ level: 30, msg: 'a log line' }));
console.log(JSON.stringify({
  workspaceId: 'ws_1', projectId: 'prj_1', apiKey: 'clew_one', otherProjectId: 'prj_2', otherApiKey: 'clew_two',
}));
`;

// Types, which only sources have.
const AS_SOURCE = 'const form: string = process.argv[1];\n';

/** Writes applications that only answer probes, laid out like the real ones in that form. */
export function writeFakeApps(programs: AppPrograms): void {
  fs.mkdirSync(programs.appsDirectory, { recursive: true });
  fs.writeFileSync(path.join(programs.appsDirectory, 'package.json'), '{"type":"module"}\n');
  const write = (folder: string, script: string, content: string) => {
    const file = fileOf(programs, folder, script);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, programs.form === 'sources' ? AS_SOURCE + content : content);
  };
  for (const app of APPS) {
    write(app.name, 'main', MAIN);
    if (app.migrates !== undefined) write(app.name, 'migrate', MIGRATE);
  }
  write(GATEWAY, 'bootstrap', BOOTSTRAP);
}

function fileOf(programs: AppPrograms, folder: string, script: string): string {
  return scriptArguments(programs, folder, script).at(-1) ?? '';
}

/** Number of runs of the fake bootstrap. */
export function bootstrapCount(programs: AppPrograms): number {
  const file = path.join(path.dirname(fileOf(programs, GATEWAY, 'bootstrap')), '.bootstraps');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').length : 0;
}
