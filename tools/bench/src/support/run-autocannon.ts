// Loads one URL with autocannon and prints the figures; a separate process, as wrk is.
import autocannon from 'autocannon';
import type { Load, Throughput } from './throughput.ts';

const { url, headers, connections, seconds } = JSON.parse(process.argv[2] ?? '') as Load;
const result = await autocannon({ url, headers: { ...headers }, connections, duration: seconds });
const figures: Throughput = {
  requests: result.requests.total,
  requestsPerSecond: result.requests.average,
  p99Ms: result.latency.p99,
  failures: result.non2xx + result.errors,
};
process.stdout.write(JSON.stringify(figures));
