import { diag, DiagLogLevel } from '@opentelemetry/api';
import { readConfig } from './config.ts';
import { readSamples } from './read-samples.ts';
import { seed } from './seed.ts';

const tell = (...parts: unknown[]): void => void process.stderr.write(`${parts.map(String).join(' ')}\n`);

// The exporter reports on its own log if the gateway accepted only part of the spans.
diag.setLogger({ error: tell, warn: tell, info: tell, debug: tell, verbose: tell }, DiagLogLevel.WARN);

try {
  const config = readConfig(process.env);
  const counts = await seed({
    gatewayUrl: config.CLEW_GATEWAY_URL,
    apiKey: config.CLEW_API_KEY,
    samples: readSamples(),
    nowMs: Date.now(),
  });
  process.stdout.write(`${counts.conversations} conversations, ${counts.spans} spans sent\n`);
} catch (error) {
  tell(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
