import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { useTemporaryDirectory } from '../../test-support/temporary-directory.ts';
import { relocateErl } from './debian-packages.ts';
import { rabbitConfiguration, rabbitEnvironment } from './local.ts';

const directory = useTemporaryDirectory();
const PORTS = { amqp: 21_001, epmd: 21_002, distribution: 21_003, management: 21_004 };
const INSTALLATION = {
  rabbitHome: '/r/rabbit',
  serverScript: '/r/rabbit/sbin/rabbitmq-server',
  epmd: '/r/epmd',
  binDirectories: ['/r/erlang/bin'],
  env: {},
};

describe('the environment of a private broker', () => {
  it('keeps everything under its own directory and on loopback', () => {
    const env = rabbitEnvironment({ PATH: '/usr/bin' }, INSTALLATION, '/stack/rabbitmq', PORTS);
    expect(env).toMatchObject({
      PATH: '/r/erlang/bin:/usr/bin',
      HOME: '/stack/rabbitmq/home',
      ERL_EPMD_ADDRESS: '127.0.0.1',
      ERL_EPMD_PORT: '21002',
      RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
      RABBITMQ_NODE_PORT: '21001',
      RABBITMQ_DIST_PORT: '21003',
      RABBITMQ_MNESIA_BASE: '/stack/rabbitmq/data',
      RABBITMQ_CONF_ENV_FILE: '/dev/null',
    });
  });

  it("takes nothing from the settings of the user's own broker", () => {
    const own = { RABBITMQ_CLUSTER_NODES: 'rabbit@there', ERL_AFLAGS: '-kernel', LANG: 'C' };
    const env = rabbitEnvironment(own, INSTALLATION, '/stack/rabbitmq', PORTS);
    expect(env).not.toHaveProperty('RABBITMQ_CLUSTER_NODES');
    expect(env).not.toHaveProperty('ERL_AFLAGS');
    expect(env['LANG']).toBe('C');
  });

  it('gives two stacks different node names', () => {
    const names = ['/a/rabbitmq', '/b/rabbitmq'].map(
      (home) => rabbitEnvironment({}, INSTALLATION, home, PORTS)['RABBITMQ_NODENAME'],
    );
    expect(new Set(names).size).toBe(2);
  });
});

describe('the configuration of a private broker', () => {
  it('puts the management API on loopback, where there is one', () => {
    expect(rabbitConfiguration(PORTS, 16e9)).toContain('management.tcp.ip = 127.0.0.1\nmanagement.tcp.port = 21004\n');
    expect(rabbitConfiguration({ ...PORTS, management: undefined }, 16e9)).not.toContain('management.');
  });

  it('leaves a small machine more than half of its memory', () => {
    expect(rabbitConfiguration(PORTS, 1024 ** 3)).toContain('vm_memory_high_watermark.absolute = 410MiB');
  });
});

describe('an unpacked erl', () => {
  it('is told where it is, again after its directory was moved', () => {
    const file = path.join(directory(), 'erl');
    fs.writeFileSync(file, '#!/bin/sh\n    ROOTDIR=/usr/lib/erlang\nBINDIR="$ROOTDIR/bin"\n', { mode: 0o755 });
    relocateErl(file, '/one/erlang');
    relocateErl(file, '/two/erlang');
    expect(fs.readFileSync(file, 'utf8')).toBe('#!/bin/sh\n    ROOTDIR=/two/erlang\nBINDIR="$ROOTDIR/bin"\n');
    expect(fs.statSync(file).mode & 0o111).toBe(0o111);
  });
});
