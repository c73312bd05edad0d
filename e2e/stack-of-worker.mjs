// Jest environment of the end-to-end tests. Each worker of Jest has a stack of its own, since some tests kill what the
// others use.
import NodeEnvironment from '@clew/test/node-environment';

const { CLEW_TEST_STACKS = '[]', JEST_WORKER_ID = '1' } = process.env;
Object.assign(process.env, JSON.parse(CLEW_TEST_STACKS)[Number(JEST_WORKER_ID) - 1]);

export default NodeEnvironment;
