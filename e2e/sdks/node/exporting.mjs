import { createRequire } from 'node:module';

/** What is instrumented is patched where it is required. */
export const require = createRequire(import.meta.url);

const { NodeSDK } = require('@opentelemetry/sdk-node');
const { trace } = require('@opentelemetry/api');

/** OpenTelemetry as an application sets it up: the standard exporters, told where to go by the environment. */
export function startExporting(instrumentations = []) {
  const sdk = new NodeSDK({ instrumentations });
  sdk.start();
  return sdk;
}

/** What an application does that has a span around the calls that belong together. */
export function inOneTrace(name, work) {
  return trace.getTracer('application').startActiveSpan(name, (span) => work().finally(() => span.end()));
}
