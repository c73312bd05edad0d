import { describe, expect, it } from '@jest/globals';
import { createRetryBudget } from './retry-budget.ts';

describe('the retry budget', () => {
  it('allows a tenth of the requests, and a few to begin with', () => {
    const budget = createRetryBudget();
    let retries = 0;
    for (let count = 0; count < 1_000; count += 1) {
      budget.countRequest();
      if (budget.takeRetry()) retries += 1;
    }
    expect(retries).toBeGreaterThanOrEqual(100);
    expect(retries).toBeLessThanOrEqual(112);
  });

  it('is not saved up without bound', () => {
    const budget = createRetryBudget();
    for (let count = 0; count < 10_000; count += 1) budget.countRequest();
    let retries = 0;
    while (budget.takeRetry()) retries += 1;
    expect(retries).toBe(10);
  });
});
