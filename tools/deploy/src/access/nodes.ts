/** The nodes whose agents may have a queue: each pod is one, named as it is. */
const MAX_NODES = 4;
export const NODES = Array.from({ length: MAX_NODES }, (_, ordinal) => `model-runtime-agent-${ordinal}`);
/** The node that the API runs models on. */
export const NODE = 'model-runtime-agent-0';
