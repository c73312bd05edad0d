import { expect, it } from '@jest/globals';
import { isRunnableMemory } from './scratch-folder.ts';

const ROOT = '/dev/vda / ext4 rw,relatime 0 0';

it.each([
  ['in memory', 'tmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0', true],
  ['where no program may run', 'shm /dev/shm tmpfs rw,nosuid,nodev,noexec,size=65536k 0 0', false],
  ['that is read-only', 'tmpfs /dev/shm tmpfs ro,nosuid 0 0', false],
  ['on a disk', '/dev/vdb /dev/shm ext4 rw 0 0', false],
  ['that is not mounted', 'tmpfs /run tmpfs rw 0 0', false],
])('the folder for test servers: %s', (_, mount, expected) => {
  expect(isRunnableMemory(`${ROOT}\n${mount}\n`)).toBe(expected);
});
