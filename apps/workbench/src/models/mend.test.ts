import { expect, it } from '@jest/globals';
import { localModelId, mendOf } from './mend.ts';

it('names an act for a model that cannot be used', () => {
  expect(mendOf('service_not_running')).toMatchObject({ act: 'Start it', to: 'model' });
  expect(mendOf('provider_not_found').to).toBe('providers');
  expect(mendOf('no_json_mode').to).toBe('choice');
});

it('tells local models from those of providers', () => {
  expect(localModelId('self/smollm2')).toBe('smollm2');
  expect(localModelId('openai/gpt-5')).toBeUndefined();
});
