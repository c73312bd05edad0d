/** Nodes whose agents may have a queue: each pod of the agent is one node, and has its name. */
const MAX_NODES = 4;
export const NODES = Array.from({ length: MAX_NODES }, (_, ordinal) => `model-runtime-agent-${ordinal}`);
/** Node on which the API runs models. */
export const NODE = 'model-runtime-agent-0';
