import { describe, expect, it } from '@jest/globals';
import { METRICS } from './metric-table.ts';
import { counterOf, createMetrics, histogramOf, observeGauge } from './metrics.ts';

const seriesOf = async (metrics: ReturnType<typeof createMetrics>, name: string) =>
  (await metrics.metrics()).split('\n').filter((line) => line.startsWith(name));

describe('a metric of the table', () => {
  it('is one for all that ask with the same registry', () => {
    const [metrics, others] = [createMetrics('test'), createMetrics('test')];
    const counter = counterOf(metrics, 'clew_inference_unrecorded_calls_total');
    const histogram = histogramOf(metrics, 'clew_http_request_duration_seconds');
    expect(counterOf(metrics, 'clew_inference_unrecorded_calls_total')).toBe(counter);
    expect(histogramOf(metrics, 'clew_http_request_duration_seconds')).toBe(histogram);
    expect(histogramOf(others, 'clew_http_request_duration_seconds')).not.toBe(histogram);
  });

  it('tells what it is, with the labels and buckets of the table', async () => {
    const metrics = createMetrics('test');
    histogramOf(metrics, 'clew_provider_request_duration_seconds').observe({ where: 'local', outcome: 'ok' }, 0.2);
    const { buckets } = METRICS.clew_provider_request_duration_seconds;
    const series = await seriesOf(metrics, 'clew_provider_request_duration_seconds_bucket');
    expect(series.map((line) => /le="([^"]*)"/.exec(line)?.[1])).toEqual([...buckets.map(String), '+Inf']);
    expect(series[0]).toContain('service="test"');
  });

  it('tells what is there when it is asked, and forgets what is no more', async () => {
    const metrics = createMetrics('test');
    let parts = ['one', 'two'];
    observeGauge(metrics, 'clew_part_waiting', (set) => parts.forEach((part, at) => set(at, { part })));
    expect(await seriesOf(metrics, 'clew_part_waiting')).toEqual([
      'clew_part_waiting{part="one",service="test"} 0',
      'clew_part_waiting{part="two",service="test"} 1',
    ]);
    parts = ['two'];
    expect(await seriesOf(metrics, 'clew_part_waiting')).toEqual(['clew_part_waiting{part="two",service="test"} 0']);
  });
});

describe('createMetrics', () => {
  it('tells the service with every series', async () => {
    const metrics = createMetrics('test');
    histogramOf(metrics, 'clew_http_request_duration_seconds').observe({ method: 'GET', route: '/x', status: 200 }, 1);
    const series = (await metrics.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(series.length).toBeGreaterThan(10);
    expect(series.every((line) => line.includes('service="test"'))).toBe(true);
  });
});
