export {
  booleanVariable,
  brokerVariables,
  ConfigError,
  credentialVariables,
  identitySignerVariables,
  identityVerifierVariables,
  integerVariable,
  loadConfig,
  migrationVariables,
  mongoVariables,
  processVariables,
  secretVariables,
} from './config.ts';
export { createLogger, silentLogger, type Logger, type LoggerOptions } from './logger.ts';
export { METRICS, type LabelOf, type MetricName, type MetricSpec } from './metric-table.ts';
export {
  cacheLookups,
  type CacheLookups,
  counterOf,
  createMetrics,
  histogramOf,
  observeGauge,
  type Counter,
  type Histogram,
  type MetricsRegistry,
} from './metrics.ts';
export type { Backlog, BackgroundTask } from './background-task.ts';
export {
  createReadiness,
  NotReadyError,
  type Readiness,
  type ReadinessCheck,
  type ReadinessReport,
} from './readiness.ts';
export { runUntilSignal, startService, type RunOptions, type Stoppable } from './run-service.ts';
export { startThread, type ThreadModule } from './threads/start-thread.ts';
export {
  createThreadPool,
  SMALL_BYTES,
  ThreadDeadlineError,
  type ThreadPool,
  type ThreadPoolOptions,
} from './threads/thread-pool.ts';
export { beginSpan, beginTrace, currentSpan, inSpan, resumeTrace, startTracing } from './tracing/tracing.ts';
export type { Span, SpanResult, SpanStart } from './tracing/span.ts';
export { Wakeup } from './wakeup.ts';
export { WorkInHand, type Work, type WorkEnded, type WorkOutcome } from './work.ts';
export { readServiceInfo, type ServiceInfo } from './service-info.ts';
export { describeUsage, isUsageError, UsageError } from './usage-error.ts';
