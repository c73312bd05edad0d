import { describe, expect, it } from '@jest/globals';
import { partsEnvelope, requestIdOf, resultEnvelope } from './envelopes.ts';

const COMMAND = { id: 'a.command:1', projectId: 'prj_1', requestId: null };

describe('a message about parts of a command', () => {
  const spec = { type: 'a.result', version: 1 };

  it('has one id for the same parts', () => {
    const { id } = partsEnvelope(COMMAND, spec, ['a', 'b'], 1);
    expect(partsEnvelope({ ...COMMAND }, spec, ['a', 'b'], 2).id).toBe(id);
    expect(partsEnvelope(COMMAND, spec, ['a'], 1).id).not.toBe(id);
    expect(partsEnvelope({ ...COMMAND, id: 'a.command:2' }, spec, ['a', 'b'], 1).id).not.toBe(id);
    expect(partsEnvelope(COMMAND, { ...spec, type: 'another' }, ['a', 'b'], 1).id).not.toBe(id);
  });

  it('belongs to the project and the request of the command', () => {
    const asked = { ...COMMAND, requestId: 'req_1' };
    expect(partsEnvelope(asked, spec, [], 7)).toMatchObject({ ...spec, occurredAt: 7, projectId: 'prj_1' });
    expect(requestIdOf(asked)).toEqual({ requestId: 'req_1' });
    expect(requestIdOf(COMMAND)).toEqual({});
  });
});

describe('the result of a command', () => {
  const spec = { type: 'a.result', version: 1 };

  it('has one id, however often the command is processed', () => {
    const { id } = resultEnvelope(COMMAND, spec, 1);
    expect(resultEnvelope({ ...COMMAND }, spec, 2).id).toBe(id);
    expect(resultEnvelope({ ...COMMAND, id: 'a.command:2' }, spec, 1).id).not.toBe(id);
    expect(resultEnvelope(COMMAND, { ...spec, type: 'another' }, 1).id).not.toBe(id);
  });
});
