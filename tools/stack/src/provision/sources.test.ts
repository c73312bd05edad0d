import path from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { StackError, Unavailable } from '../system/errors.ts';
import { useTemporaryDirectory } from '../test-support/temporary-directory.ts';
import { firstThatWorks } from './sources.ts';
import type { Source, Storage } from './sources.ts';

const directory = useTemporaryDirectory();
const SUBJECT = { title: 'MongoDB', help: 'Start Docker.' };

function source(name: string, storage: Storage, outcome: string | Error): Source<string> {
  return {
    name,
    storage,
    attempt: async () => {
      if (typeof outcome !== 'string') throw outcome;
      return outcome;
    },
  };
}

function contextIn(name: string, signal = new AbortController().signal) {
  return { home: path.join(directory(), name), log: jest.fn<(line: string) => void>(), signal };
}

describe('the first source that works', () => {
  it('is taken, and the user is told why those before it were not', async () => {
    const context = contextIn('first');
    const sources = [
      source('Docker', 'docker', new Unavailable('no engine answers')),
      source('PATH', 'local', 'from PATH'),
      source('wheel', 'local', 'from a wheel'),
    ];
    expect(await firstThatWorks(SUBJECT, sources, context)).toBe('from PATH');
    expect(context.log.mock.calls).toEqual([['not from Docker: no engine answers']]);
  });

  it('is asked first at the next start, since its data is found there alone', async () => {
    const context = contextIn('remembered');
    await firstThatWorks(SUBJECT, [source('wheel', 'local', 'from a wheel')], context);
    const sources = [
      source('Docker', 'docker', 'in Docker'),
      source('PATH', 'local', 'x'),
      source('wheel', 'local', 'y'),
    ];
    expect(await firstThatWorks(SUBJECT, sources, context)).toBe('y');
  });

  it('is never one that cannot see the data of an earlier start', async () => {
    const context = contextIn('other-storage');
    await firstThatWorks(SUBJECT, [source('Docker', 'docker', 'in Docker')], context);
    const sources = [source('Docker', 'docker', new Unavailable('no engine answers')), source('PATH', 'local', 'x')];
    await expect(firstThatWorks(SUBJECT, sources, context)).rejects.toMatchObject({
      message: expect.stringContaining('Docker: no engine answers'),
      hint: expect.stringContaining('reset'),
    });
  });

  it('is what the environment names, alone, and that is not remembered', async () => {
    const context = contextIn('external');
    const broken = source('MONGO_URL', 'external', new StackError('no MongoDB answers there'));
    const local = source('PATH', 'local', 'from PATH');
    await expect(firstThatWorks(SUBJECT, [broken, local], context)).rejects.toThrow('no MongoDB answers there');
    const named = source('MONGO_URL', 'external', 'named');
    expect(await firstThatWorks(SUBJECT, [named, local], context)).toBe('named');
    expect(await firstThatWorks(SUBJECT, [local], context)).toBe('from PATH');
  });
});

describe('when no source works', () => {
  it('the failure gives every reason, and how to help', async () => {
    const sources = [source('Docker', 'docker', new Unavailable('a')), source('PATH', 'local', new Error('b\ntrace'))];
    await expect(firstThatWorks(SUBJECT, sources, contextIn('none'))).rejects.toMatchObject({
      message: 'MongoDB could not be provided:\n  - Docker: a\n  - PATH: b',
      hint: 'Start Docker.',
    });
  });

  it('nothing more is tried once the start was called off', async () => {
    const calledOff = new AbortController();
    const next = jest.fn<() => Promise<string>>();
    const first: Source<string> = {
      name: 'Docker',
      storage: 'docker',
      attempt: async () => {
        calledOff.abort(new Error('stopping'));
        throw new Unavailable('interrupted');
      },
    };
    const sources = [first, { name: 'PATH', storage: 'local' as const, attempt: next }];
    await expect(firstThatWorks(SUBJECT, sources, contextIn('off', calledOff.signal))).rejects.toThrow('stopping');
    expect(next).not.toHaveBeenCalled();
  });
});
