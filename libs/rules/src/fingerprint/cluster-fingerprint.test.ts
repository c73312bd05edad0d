import { describe, expect, it } from '@jest/globals';
import { hostileRuns, slowTexts } from '@clew/testing/hostile';
import fc from 'fast-check';
import { clusterFingerprint, FINGERPRINT_VERSION, type ClusterIdentity } from './cluster-fingerprint.ts';

const identity: ClusterIdentity = {
  projectId: 'prj_1',
  ruleKey: 'tool_error_unhandled',
  categoryKey: 'tool_use',
  signature: { names: ['update_order', 'timeout'], text: 'order W-104233 timed out after 8000 ms' },
};

function withSignature(signature: Partial<ClusterIdentity['signature']>): string {
  return clusterFingerprint({ ...identity, signature: { ...identity.signature, ...signature } });
}

describe('finding-cluster-v1', () => {
  it('is pinned: a change of the scheme needs a new version and aliases', () => {
    expect(FINGERPRINT_VERSION).toBe('finding-cluster-v1');
    expect(clusterFingerprint(identity)).toBe('0dc8e5bd41682457fc5bb701c885feb806ef886159b71e1cd9f74cc84ee950c9');
  });

  it('does not change with ids, numbers, case and white space in the text', () => {
    expect(withSignature({ text: 'Order W-7  timed out after 12 ms' })).toBe(clusterFingerprint(identity));
  });

  it('changes with the project, the Rule, the category, the names and the words', () => {
    const others = [
      clusterFingerprint({ ...identity, projectId: 'prj_2' }),
      clusterFingerprint({ ...identity, ruleKey: 'tool_call_loop' }),
      clusterFingerprint({ ...identity, categoryKey: 'other' }),
      withSignature({ names: ['update_order', 'conflict'] }),
      withSignature({ names: ['update_order'] }),
      withSignature({ names: ['update_ordertimeout'] }),
      withSignature({ text: 'order W-104233 is locked' }),
    ];
    expect(new Set([...others, clusterFingerprint(identity)]).size).toBe(others.length + 1);
  });

  it('masks generated ids in names, but not the version of a tool', () => {
    expect(withSignature({ names: ['worker-550e8400-e29b-41d4-a716-446655440000'] })).toBe(
      withSignature({ names: ['worker-f47ac10b-58cc-4372-a567-0e02b2c3d479'] }),
    );
    expect(withSignature({ names: ['search_v1'] })).not.toBe(withSignature({ names: ['search_v2'] }));
  });

  it('is 64 hex digits for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, text) => {
        expect(withSignature({ names: [name], text })).toMatch(/^[0-9a-f]{64}$/);
      }),
    );
    expect(withSignature({ text: '\ud800 lone' })).toMatch(/^[0-9a-f]{64}$/);
  });

  it('takes time that is linear in the length of a signature, whatever it holds', () => {
    expect(slowTexts((text) => withSignature({ names: [text], text }), hostileRuns())).toEqual([]);
  }, 300_000);
});
