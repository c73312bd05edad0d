import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { addressVariable, CALLED_SERVICES } from '@clew/contracts/services';
import { useTestEnvironment } from '@clew/testing';
import { assembleImage } from '../image/assemble.ts';
import { IMAGES, type ImageContent } from '../image/image-content.ts';
import { provideNode, runContainer, type RunningContainer } from './container.ts';

/** Images of a test file, each a folder outside of any checkout. */
export interface TestImages {
  /** Folder of the Node that runs them. */
  readonly nodeFolder: string;
  folderOf(image: string): string;
  /** Runs a script of an image, with the variables of a service; it ends with the test at the latest. */
  start(image: string, script: string, args?: readonly string[], more?: Record<string, string>): RunningContainer;
}

const BUILD_TIMEOUT_MS = 600_000;

/** Assembles images for a test file; they are there from `beforeAll` on. */
export function useImages(...names: readonly string[]): () => TestImages {
  const environment = useTestEnvironment();
  const folder = mkdtempSync(join(tmpdir(), 'clew-image-'));
  const folderOf = (image: string) => join(folder, image);
  const running = new Set<RunningContainer>();
  let nodeFolder: string | undefined;

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    nodeFolder = provideNode(folder);
    for (const name of names) await assembleImage({ content: contentOf(name), out: folderOf(name) });
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  }, BUILD_TIMEOUT_MS);
  afterEach(async () => {
    for (const container of running) {
      container.child.kill('SIGKILL');
      await container.ended;
    }
    running.clear();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  return () => {
    if (nodeFolder === undefined) throw new Error('The images are there from beforeAll on');
    const node = nodeFolder;
    return {
      ...{ nodeFolder: node, folderOf },
      start(image, script, args = [], more = {}) {
        const env = {
          HOST: '127.0.0.1',
          PORT: '0',
          MONGO_URL: environment.mongoUrl,
          MONGO_DATABASE: environment.database,
          AMQP_URL: environment.amqpUrl,
          AUTH_SECRET: 'a secret of a test, of at least 32 bytes',
          IDENTITY_PRIVATE_KEY_FILE: join(folder, 'key.pem'),
          ...Object.fromEntries(CALLED_SERVICES.map((name) => [addressVariable(name), 'http://127.0.0.1:9'])),
          ...more,
        };
        const command = ['node', script, ...args];
        const container = runContainer(node, { image: folderOf(image), command, env });
        running.add(container);
        return container;
      },
    };
  };
}

function contentOf(image: string): ImageContent {
  const content = IMAGES.get(image);
  if (content === undefined) throw new Error(`There is no image ${image}`);
  return content;
}
