import type { EnvironmentContext, JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/**
 * Jest environment without a context of its own: tests run in Node's, see `NodeRuntime`. Variables of the environment are
 * as before when a test file has ended.
 */
export default class NodeEnvironment implements JestEnvironment<unknown> {
  // Jest's own changes, as of the console and of `process.exit`, stay off the real object, which outlives a test file.
  readonly global = Object.create(globalThis, { process: { value: undefined } }) as JestEnvironment['global'];
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly #variables = { ...process.env };

  constructor({ projectConfig }: JestEnvironmentConfig, _context: EnvironmentContext) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  setup(): Promise<void> {
    return Promise.resolve();
  }

  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    for (const name of Object.keys(process.env))
      if (!(name in this.#variables)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, this.#variables);
  }

  getVmContext(): null {
    return null;
  }
}
