export { useCleanup } from './cleanup.ts';
export { storedText, textInTheClear } from './stored-text.ts';
export { fixedClock, type FixedClock } from './clock.ts';
export { readEnvExample } from './env-example.ts';
export { eventually, type EventuallyOptions } from './eventually.ts';
export { explainUsesIndex } from './explain.ts';
export { silentLogger } from '@clew/runtime';
export { startOwnRabbit, type OwnRabbit } from './own-rabbit.ts';
export { explainSent, monitored, sentCommands, type ExplainedCommand } from './sent-commands.ts';
export { processorTimeMs } from './processor-time.ts';
export { propertyRuns } from './property-runs.ts';
export { startSmtpServer, type SmtpBehaviour, type TestSmtpServer } from './smtp-server.ts';
export { createTcpFault, type TcpFault } from './tcp-fault.ts';
export {
  createTestDatabase,
  createTestVhost,
  useTestEnvironment,
  type TestDatabase,
  type TestEnvironment,
  type TestVhost,
} from './test-environment.ts';
export { startTestServers, type TestServers } from './test-servers.ts';
export { leastThreadTimeOf, MIN_SHARE, threadTimeOf } from './thread-time.ts';
export { startTraceCollector, type CollectedSpan, type TraceCollector } from './trace-collector.ts';
export * from './dialects/index.ts';
