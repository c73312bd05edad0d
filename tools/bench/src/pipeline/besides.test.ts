import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareDatasets } from './besides.ts';

it('what a Dataset adds is the same on a machine whose speed changes', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { minLength: 4, maxLength: 8 }), (speeds) => {
      const runs = speeds.map((speed, at) => ({
        datasets: at % 2,
        processorMsEachOf: { 'telemetry-ingest': speed, mongod: speed * (at % 2 === 0 ? 3 : 3.2) },
      }));
      expect(compareDatasets(runs).datasets?.besidesUntouched).toEqual({ ratio: 1.05, interval: [1.05, 1.05] });
    }),
  );
});
