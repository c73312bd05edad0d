// Preloaded into each app if CLEW_BENCH_PROFILES names a folder: writes a V8 processor profile of the whole life of the
// process, which the developer tools of Chrome can open.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';

const folder = process.env['CLEW_BENCH_PROFILES'];
if (folder !== undefined) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.start');
  process.on('exit', () => {
    // Within one process, the callback runs before `post` returns.
    session.post('Profiler.stop', (error, { profile }) => {
      const app = process.argv[1]?.match(/apps\/([^/]+)\//)?.[1] ?? 'process';
      if (error === null) writeFileSync(join(folder, `${app}-${process.pid}.cpuprofile`), JSON.stringify(profile));
    });
  });
}
