import { expect, it } from '@jest/globals';
import { isEngineProgram } from './programs.ts';

it('engines are run by Pythons, by the query for accelerators, and by programs of environments below the models', () => {
  const home = '/models/home';
  const mayRun = (file: string) => isEngineProgram(file, { home, python: '/opt/python' });
  const environment = `${home}/engines/ab/1/venv/bin`;
  expect(
    ['python3', 'nvidia-smi', '/opt/python', `${environment}/python`, `${environment}/vllm`].filter(mayRun),
  ).toHaveLength(5);
  const others = ['sh', '/bin/sh', `${environment}/sh`, '/tmp/venv/bin/python', `${home}/../x/venv/bin/python`, ''];
  expect(others.filter(mayRun)).toEqual([]);
});
