import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { useTemporaryDirectory } from '../../test-support/temporary-directory.ts';
import { createProvisionContext } from '../context.ts';
import { verifyMongod } from './binary.ts';
import { mongodArguments } from './local.ts';

const directory = useTemporaryDirectory();

function fakeMongod(version: string): string {
  const file = path.join(directory(), `mongod-${version}`);
  fs.writeFileSync(file, `#!/bin/sh\necho 'db version v${version}'\n`, { mode: 0o755 });
  return file;
}

describe('the arguments of mongod', () => {
  it('keep it on loopback and its memory within bounds', () => {
    const args = mongodArguments('/stack/mongo', 21_017, 16 * 1024 ** 3).join(' ');
    expect(args).toContain('--dbpath /stack/mongo --port 21017 --bind_ip 127.0.0.1 --nounixsocket --replSet rs0');
    expect(args).toContain('--wiredTigerCacheSizeGB 1');
    expect(mongodArguments('/stack/mongo', 21_017, 4 * 1024 ** 3).join(' ')).toContain('--wiredTigerCacheSizeGB 0.25');
  });
});

describe('a mongod that is found', () => {
  const context = () => createProvisionContext({ home: path.join(directory(), 'home') });

  it('is taken with its version when it is new enough', async () => {
    const file = fakeMongod('8.2.6');
    expect(await verifyMongod(file, context())).toMatchObject({ file, version: '8.2.6' });
  });

  it('is refused when it is too old for what the services need', async () => {
    await expect(verifyMongod(fakeMongod('4.4.29'), context())).rejects.toThrow('6.0 or newer is needed');
  });

  it('is refused when it does not run', async () => {
    const file = path.join(directory(), 'broken');
    fs.writeFileSync(file, '#!/bin/sh\nexit 132\n', { mode: 0o755 });
    await expect(verifyMongod(file, context())).rejects.toThrow('exit code 132');
  });
});
