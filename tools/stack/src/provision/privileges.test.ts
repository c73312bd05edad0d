import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { useTemporaryDirectory } from '../test-support/temporary-directory.ts';
import { createProvisionContext } from './context.ts';
import { aptInstall } from './privileges.ts';
import { providePip } from './python.ts';

const directory = useTemporaryDirectory();

/** Context whose PATH has these programs, as sh scripts, and the few tools that they use. */
function contextWith(name: string, programs: Record<string, string>) {
  const bin = path.join(directory(), name);
  fs.mkdirSync(bin);
  fs.symlinkSync('/bin/sh', path.join(bin, 'sh'));
  fs.symlinkSync('/usr/bin/env', path.join(bin, 'env'));
  for (const [program, script] of Object.entries(programs)) {
    fs.writeFileSync(path.join(bin, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const calls = path.join(bin, 'calls');
  const env = { PATH: bin, CALLS: calls, CLEW_CACHE: path.join(bin, 'cache') };
  return {
    context: createProvisionContext({ home: path.join(bin, 'home'), env }),
    calls: () => (fs.existsSync(calls) ? fs.readFileSync(calls, 'utf8').trim().split('\n') : []),
  };
}

// Records its calls; the first installation fails, as with missing package lists.
const APT_GET = `echo "$2" >> "$CALLS"
if [ "$2" = install ] && [ ! -e "$CALLS.listed" ]; then exit 100; fi
if [ "$2" = update ]; then : > "$CALLS.listed"; fi`;
const SUDO = 'shift; exec env "$@"';

describe('installing packages system-wide', () => {
  it('fetches the package lists where they are missing, and tries again', async () => {
    const { context, calls } = contextWith('lists', { 'apt-get': APT_GET, sudo: SUDO });
    await aptInstall(['rabbitmq-server'], context);
    expect(calls()).toEqual(['install', 'update', 'install']);
  });

  it('is no way where there is no apt-get', async () => {
    const { context } = contextWith('no-apt', {});
    await expect(aptInstall(['rabbitmq-server'], context)).rejects.toThrow('this system has no apt-get');
  });
});

describe('pip', () => {
  it("is the one of the machine's Python where that works", async () => {
    const { context } = contextWith('python', { python3: 'exit 0' });
    const pip = await providePip(context);
    expect(pip.command.slice(1)).toEqual(['-m', 'pip']);
  });

  it('comes from a private environment where Python has none', async () => {
    const python = `if [ "$2" = pip ]; then echo "No module named pip" >&2; exit 1; fi
      if [ "$2" = venv ]; then mkdir -p "$3/bin"; printf '#!/bin/sh\\nexit 0\\n' > "$3/bin/python"; chmod +x "$3/bin/python"; fi`;
    const { context } = contextWith('no-pip', { python3: python });
    const tools = { ...context, env: { ...context.env, PATH: `${context.env['PATH']}:/bin:/usr/bin` } };
    expect((await providePip(tools)).command[0]).toBe(
      path.join(context.packagesDirectory, 'python-environment/bin/python'),
    );
  });

  it('is asked for by name where it cannot be had', async () => {
    const { context } = contextWith('nothing', {});
    await expect(providePip(context)).rejects.toThrow('Python 3 with pip is needed');
  });
});
