export {
  booleanVariable,
  brokerVariables,
  ConfigError,
  credentialVariables,
  identitySignerVariables,
  identityVerifierVariables,
  integerVariable,
  loadConfig,
  mongoVariables,
  processVariables,
  secretVariables,
} from './config.ts';
export { createLogger, silentLogger, type Logger, type LoggerOptions } from './logger.ts';
export { Counter, createMetrics, Gauge, Histogram, httpDurationHistogram, type MetricsRegistry } from './metrics.ts';
export type { Backlog, Part } from './part.ts';
export { createReadiness, type Readiness, type ReadinessCheck, type ReadinessReport } from './readiness.ts';
export { runUntilSignal, startService, type RunOptions, type Stoppable } from './run-service.ts';
export { Wakeup } from './wakeup.ts';
export { WorkInHand, type Work } from './work.ts';
export { readServiceInfo, type ServiceInfo } from './service-info.ts';
export { describeUsage, isUsageError, UsageError } from './usage-error.ts';
