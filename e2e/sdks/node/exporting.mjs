import { createRequire } from 'node:module';

/** CommonJS require: instrumentations patch a module when it is required. */
export const require = createRequire(import.meta.url);

const { NodeSDK } = require('@opentelemetry/sdk-node');
const { trace } = require('@opentelemetry/api');

/** Sets up OpenTelemetry as an application does: standard exporters, whose target the environment names. */
export function startExporting(instrumentations = []) {
  const sdk = new NodeSDK({ instrumentations });
  sdk.start();
  return sdk;
}

/** Runs the work in one span, as an application does for calls that belong together. */
export function inOneTrace(name, work) {
  return trace.getTracer('application').startActiveSpan(name, (span) => work().finally(() => span.end()));
}
