// Jest environment of the end-to-end tests. Each worker of Jest has a stack of its own, since some tests kill what the
// others use. It runs outside of the tests' sandbox, so that processes which a test starts see these variables, too.
import { TestEnvironment } from 'jest-environment-node';

const { CLEW_TEST_STACKS = '[]', JEST_WORKER_ID = '1' } = process.env;
Object.assign(process.env, JSON.parse(CLEW_TEST_STACKS)[Number(JEST_WORKER_ID) - 1]);

export default TestEnvironment;
