import { access, chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { eventually, useCleanup } from '@clew/testing';
import { createEngineKeys } from '@clew/model-runtime';
import { createChildHost } from '../engine-host/index.ts';
import { startEngine } from '../workers/index.ts';
import { createProcessRecords } from '../processes/index.ts';
import { engineAsset } from './assets.ts';
import type { InstallContext, LaunchContext } from './driver.ts';
import { createDrivers } from './drivers.ts';

const cleanUp = useCleanup();

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'clew-engine-'));
  cleanUp(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function executable(file: string, script: string): Promise<string> {
  await writeFile(file, script);
  await chmod(file, 0o755);
  return file;
}

function installContext(path: string, more: Partial<InstallContext> = {}): InstallContext {
  const signal = new AbortController().signal;
  return {
    folder: path,
    host: createChildHost({ home: path }),
    gpus: [],
    signal,
    stage: () => undefined,
    line: () => undefined,
    ...more,
  };
}

const CONTEXT: LaunchContext = {
  ...{ engineFolder: '/engine', artifactFolder: '/artifact', files: ['model.gguf'], runFolder: '/run' },
  cacheFolder: '/engine/cache',
  ...{ host: '127.0.0.1', port: 4711, apiKey: 'the key', alias: 'tiny', category: 'chat' },
  ...{ contextLength: 2_048, parallelRequests: 3 },
};

const DRIVERS = createDrivers({});
const GPU = { name: 'a GPU', memoryBytes: 24 * 1024 ** 3 };

describe('the plan of an engine', () => {
  it.each(['llama.cpp', 'vllm', 'faster-whisper'] as const)(
    'of %s shows the key to nobody who looks at arguments or files',
    (name) => {
      const { command, settings, env } = DRIVERS[name].launch(CONTEXT);
      expect(JSON.stringify([command, settings])).not.toContain('the key');
      expect(Object.values(env)).toContain('the key');
    },
  );

  it('of llama.cpp names the first part of a model that is split, and nothing but weights', () => {
    const files = ['mmproj-f16.gguf', 'm-00002-of-00002.gguf', 'm-00001-of-00002.gguf', 'README.md'];
    const { settings } = DRIVERS['llama.cpp'].launch({ ...CONTEXT, files });
    expect(settings?.content).toMatchObject({ modelPath: '/artifact/m-00001-of-00002.gguf', embedding: false });
    expect(() => DRIVERS['llama.cpp'].launch({ ...CONTEXT, files: ['README.md'] })).toThrow(/no GGUF file/);
  });

  it('of a model that embeds asks for an embedding to see whether it works', () => {
    const { settings, probe } = DRIVERS['llama.cpp'].launch({ ...CONTEXT, category: 'embedding' });
    expect(settings?.content).toMatchObject({ embedding: true });
    expect(probe.path).toBe('/v1/embeddings');
  });

  it('of vLLM is its own command line', () => {
    expect(DRIVERS.vllm.launch(CONTEXT)).toMatchObject({
      command: [
        '/engine/venv/bin/vllm',
        'serve',
        '/artifact',
        ...['--served-model-name', 'tiny', '--host', '127.0.0.1', '--port', '4711'],
        ...['--max-model-len', '2048', '--max-num-seqs', '3'],
      ],
      env: { VLLM_API_KEY: 'the key' },
      probe: { path: '/v1/completions' },
    });
  });

  it('of vLLM keeps what it compiles and fetches with the engine, on the volume', () => {
    const { env } = DRIVERS.vllm.launch(CONTEXT);
    for (const name of [
      'VLLM_CACHE_ROOT',
      'HF_HOME',
      'TRITON_CACHE_DIR',
      'TORCHINDUCTOR_CACHE_DIR',
      'XDG_CACHE_HOME',
    ]) {
      expect([name, env[name]]).toEqual([name, expect.stringMatching(/^\/engine\/cache/)]);
    }
  });
});

/** Stand-in for vLLM: reads the same command line and answers in the same way. */
const STAND_IN = `#!${process.execPath}
const { createServer } = require('node:http');
const { argv, env } = process;
const option = (name) => argv[argv.indexOf('--' + name) + 1];
if (argv[2] !== 'serve' || option('max-model-len') !== '2048') process.exit(2);
let asked = 0;
createServer((request, response) => {
  if (request.url === '/health') return response.writeHead(++asked > 2 ? 200 : 503).end();
  const allowed = request.headers.authorization === 'Bearer ' + env.VLLM_API_KEY;
  let body = '';
  request.on('data', (data) => { body += data; });
  request.on('end', () => {
    const known = allowed && JSON.parse(body).model === option('served-model-name');
    response.writeHead(known ? 200 : 401).end('{}');
  });
}).listen(Number(option('port')), option('host'));
`;

describe('vLLM', () => {
  it('is not installed where there is no GPU, and says so', async () => {
    const installing = DRIVERS.vllm.install(installContext(await folder()));
    await expect(installing).rejects.toMatchObject({
      code: 'GPU_REQUIRED',
      message: expect.stringMatching(/NVIDIA GPU/),
    });
  });

  it('is started by its command line, and ready once it has completed one token', async () => {
    const [engineFolder, runFolder] = [await folder(), await folder()];
    await mkdir(join(engineFolder, 'venv', 'bin'), { recursive: true });
    await executable(join(engineFolder, 'venv', 'bin', 'vllm'), STAND_IN);
    const records = createProcessRecords(join(runFolder, 'processes'));
    const running = await startEngine({
      driver: DRIVERS.vllm,
      host: createChildHost({ home: runFolder }),
      context: { ...CONTEXT, engineFolder, runFolder },
      ...{ resourceId: 'service', generation: 1, listenHost: '127.0.0.1', reachHost: '127.0.0.1', records },
      keys: createEngineKeys(Buffer.from('a secret of the tests')),
      signal: new AbortController().signal,
      onLine: () => undefined,
    });
    expect(await records.list()).toEqual([expect.objectContaining({ pid: running.child.pid, port: running.port })]);
    await running.stop();
    expect(running.child.isAlive()).toBe(false);
    expect(await records.list()).toEqual([]);
  });
});

/** Script that creates an environment whose Python is a script that records how it is called, and fails. */
const fakePython = (version: string, notes: string) => `#!/bin/sh
if [ "$2" = "-c" ]; then echo ${version} True; exit 0; fi
mkdir -p "$4/bin"
printf '#!/bin/sh\\necho "$@" >> ${notes}/calls\\necho "ERROR: no matching distribution" >&2\\nexit 1\\n' > "$4/bin/python"
chmod +x "$4/bin/python"
`;

describe('an installation', () => {
  it('asks for Python by name where there is none that will do', async () => {
    const path = await folder();
    const old = await executable(join(path, 'python-old'), '#!/bin/sh\necho 3 8 True\n');
    const bare = await executable(join(path, 'python-bare'), '#!/bin/sh\necho 3 12 False\n');
    for (const python of [join(path, 'missing'), old, bare]) {
      const installing = createDrivers({ python })['llama.cpp'].install(installContext(path));
      await expect(installing).rejects.toMatchObject({
        code: 'PYTHON_NOT_FOUND',
        message: expect.stringMatching(/Python 3\.10 or newer.*python3-venv.*MODEL_PYTHON/),
      });
    }
  });

  it.each(['llama.cpp', 'vllm', 'faster-whisper'] as const)(
    'of %s takes exactly the pinned packages, with their hashes, and tells what pip says when it fails',
    async (name) => {
      const path = await folder();
      const python = await executable(join(path, 'python'), fakePython('3 12', path));
      const lines: string[] = [];
      const installing = createDrivers({ python })[name].install(
        installContext(path, { gpus: [GPU], line: (line) => void lines.push(line) }),
      );
      await expect(installing).rejects.toMatchObject({
        code: 'INSTALL_FAILED',
        message: 'The packages could not be installed: ERROR: no matching distribution',
      });
      expect(lines).toContain('ERROR: no matching distribution');
      const call = await readFile(join(path, 'calls'), 'utf8');
      expect(call).toContain(`--only-binary :all: --require-hashes -r ${engineAsset(`${name}.requirements.txt`)}`);
    },
  );

  it.each([
    ['llama.cpp', 'xllamacpp'],
    ['vllm', 'vllm'],
    ['faster-whisper', 'faster-whisper'],
  ] as const)('of %s pins its own version, and gives every package its hashes', async (name, distribution) => {
    const text = await readFile(engineAsset(`${name}.requirements.txt`), 'utf8');
    const requirements = text
      .replace(/^#.*\n/gm, '')
      .replaceAll('\\\n', '')
      .trim()
      .split('\n');
    expect(requirements.filter((line) => line.startsWith(`${distribution}==${DRIVERS[name].version} `))).toHaveLength(
      1,
    );
    const pinned = /^[a-z0-9._-]+==[^\s;]+ (?:; [^#]*?)?(?:\s*--hash=sha256:[0-9a-f]{64})+\s*$/;
    expect(requirements.filter((line) => !pinned.test(line))).toEqual([]);
  });

  it.each(['3 10', '3 14'])(
    'of vLLM is not begun with Python %s, for which its packages are not pinned',
    async (version) => {
      const path = await folder();
      const python = await executable(join(path, 'python'), fakePython(version, path));
      const installing = createDrivers({ python }).vllm.install(installContext(path, { gpus: [GPU] }));
      await expect(installing).rejects.toMatchObject({ code: 'PYTHON_NOT_FOUND', message: /Python 3\.11 to 3\.13/ });
    },
  );

  it('ends pip when it is no longer wanted', async () => {
    const path = await folder();
    const python = await executable(
      join(path, 'python'),
      `#!/bin/sh\nif [ "$2" = "-c" ]; then echo 3 12 True; exit 0; fi\ntouch ${path}/begun\nexec sleep 60\n`,
    );
    const ending = new AbortController();
    const installing = createDrivers({ python })['llama.cpp'].install(installContext(path, { signal: ending.signal }));
    const ended = expect(installing).rejects.toMatchObject({ name: 'AbortError' });
    await eventually(() => access(join(path, 'begun')));
    ending.abort();
    await ended;
  });
});
