import { describe, expect, it } from '@jest/globals';
import { createMetrics, httpDurationHistogram } from './metrics.ts';

describe('httpDurationHistogram', () => {
  it('is one for all that ask with the same registry', () => {
    const metrics = createMetrics('test');
    expect(httpDurationHistogram(metrics)).toBe(httpDurationHistogram(metrics));
    expect(httpDurationHistogram(createMetrics('test'))).not.toBe(httpDurationHistogram(metrics));
  });
});

describe('createMetrics', () => {
  it('tells the service with every series', async () => {
    const metrics = createMetrics('test');
    httpDurationHistogram(metrics).observe({ method: 'GET', route: '/x', status: 200 }, 0.003);
    const series = (await metrics.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(series.length).toBeGreaterThan(10);
    expect(series.every((line) => line.includes('service="test"'))).toBe(true);
  });
});
