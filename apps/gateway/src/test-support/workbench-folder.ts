import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export const SCRIPT = `export const text = '${'of the Workbench '.repeat(200)}';\n`;

export const INDEX_HTML = `<!doctype html>
<html lang="en">
  <head>
    <base href="/">
    <title>Clew</title>
    <script type="module" src="assets/index-5f3a.js"></script>
    <link rel="stylesheet" href="./assets/index-77aa.css">
  </head>
  <body><div id="root"></div></body>
</html>
`;

const BUILT: Readonly<Record<string, string | Buffer>> = {
  'index.html': INDEX_HTML,
  'assets/index-5f3a.js': SCRIPT,
  'assets/index-5f3a.js.br': brotliCompressSync(SCRIPT),
  'assets/index-5f3a.js.gz': gzipSync(SCRIPT),
  'assets/index-77aa.css': 'body { margin: 0 }',
  'assets/face-1b.woff2': Buffer.from([0, 255, 13, 10]),
};

/** Folder like the one that the build of the Workbench writes; a change to undefined leaves that file out. */
export function makeWorkbenchFolder(changes: Readonly<Record<string, string | Buffer | undefined>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'clew-workbench-'));
  for (const [name, content] of Object.entries({ ...BUILT, ...changes })) {
    if (content === undefined) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}
