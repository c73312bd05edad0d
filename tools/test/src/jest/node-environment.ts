import type { EnvironmentContext, JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Jest environment without a context of its own: tests run in Node's, see `NodeRuntime`. */
export default class NodeEnvironment implements JestEnvironment<unknown> {
  // Jest's own changes, as of the console and of `process.exit`, stay off the real object, which outlives a test file.
  readonly global = Object.create(globalThis, { process: { value: undefined } }) as JestEnvironment['global'];
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly moduleMocker = new ModuleMocker(globalThis);

  constructor({ projectConfig }: JestEnvironmentConfig, _context: EnvironmentContext) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  setup(): Promise<void> {
    return Promise.resolve();
  }

  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
  }

  getVmContext(): null {
    return null;
  }
}
