import { describe, expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import { configurationChange, draftOf, shareOf, signalState, withSignal } from './rule-configuration.ts';

const stored: Api.RuleConfiguration = {
  ...{ keywords: ['refund'], minSignalScore: 0.5, minDiagnosticConfidence: 0.5, adjudicationMode: 'auto' },
  ...{ adjudicationModel: null, signalOverrides: { late: { enabled: false, severity: 'low' } } },
};
const late = { name: 'late', defaultSeverity: 'low' as const };
const lost = { name: 'lost', defaultSeverity: 'high' as const };

describe('the change of a Rule', () => {
  it('is nothing where nothing was changed', () => {
    expect(configurationChange(stored, draftOf(stored))).toEqual({});
  });

  it('has what was changed, with keywords once each', () => {
    const draft = { ...draftOf(stored), keywords: ' refund\nchargeback\n\nrefund', minSignalScore: 0.7 };
    expect(configurationChange(stored, draft)).toEqual({ keywords: ['refund', 'chargeback'], minSignalScore: 0.7 });
  });

  it('takes an override back with null', () => {
    const draft = { ...draftOf(stored), signalOverrides: withSignal(stored.signalOverrides, late, { enabled: true }) };
    expect(configurationChange(stored, draft)).toEqual({ signalOverrides: { late: null } });
  });

  it('names only the overrides that changed', () => {
    const overrides = withSignal(stored.signalOverrides, lost, { severity: 'critical' });
    expect(configurationChange(stored, { ...draftOf(stored), signalOverrides: overrides })).toEqual({
      signalOverrides: { lost: { enabled: true, severity: 'critical' } },
    });
  });
});

it('knows the state of a signal with and without an override', () => {
  expect(signalState(stored.signalOverrides, late)).toEqual({ enabled: false, severity: 'low' });
  expect(signalState(stored.signalOverrides, lost)).toEqual({ enabled: true, severity: 'high' });
});

it('reads shares', () => {
  expect(['0', '0.25', '1', '1.1', '-0.1', '', 'x'].map(shareOf)).toEqual([
    ...[0, 0.25, 1, undefined, undefined, undefined, undefined],
  ]);
});
