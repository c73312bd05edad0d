export { emittedMessages } from './emitted-messages.ts';
export { startLoopbackPrivacy, type LoopbackPrivacy } from './loopback-privacy.ts';
export {
  openMigratedDatabase,
  openTestBroker,
  openTestDatabaseHost,
  openTestHost,
  type Served,
  type TestDatabaseHost,
  type TestDatabaseHostOptions,
  type TestHost,
  type TestHostOptions,
} from './test-host.ts';
