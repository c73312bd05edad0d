import { expect, it } from '@jest/globals';
import { stepAddress } from './step-address.ts';

it('leads to a step below any path, whatever the id of the conversation holds', () => {
  expect(stepAddress('https://clew.test/team/', 'prj_1', 'a/b?c', 11)).toBe(
    'https://clew.test/team/p/prj_1/conversations/a%2Fb%3Fc?step=11',
  );
});
