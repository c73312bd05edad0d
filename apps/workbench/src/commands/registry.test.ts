import { expect, it, jest } from '@jest/globals';
import { CommandRegistry } from './registry.ts';

it('gives a command to the latest handler, and to the one before it when that is gone', () => {
  const registry = new CommandRegistry();
  const page = jest.fn();
  const dialog = jest.fn();
  registry.register('page.up', page);
  const close = registry.register('page.up', dialog);
  registry.run('page.up');
  close();
  registry.run('page.up');
  expect([dialog.mock.calls.length, page.mock.calls.length]).toEqual([1, 1]);
});

it('says which commands can be given, and when that changes', () => {
  const registry = new CommandRegistry();
  const heard = jest.fn();
  registry.subscribe(heard);
  expect(registry.run('list.open')).toBe(false);
  const remove = registry.register('list.open', () => undefined);
  expect(registry.active()).toEqual(['list.open']);
  expect(registry.active()).toBe(registry.active());
  remove();
  expect(registry.active()).toEqual([]);
  expect(heard).toHaveBeenCalledTimes(2);
});
