export { describeAssembled, isEmpty } from './assembled.ts';
export { assembleDue, startAssemblerLoop, type AssemblerLoopOptions } from './assembler-loop.ts';
export { createAssembler, type Assembler } from './assembler.service.ts';
export type { OutlineLimits } from './outlines.ts';
export { createReadConversations, readConversation, type ReadConversations } from './read-conversations.ts';
