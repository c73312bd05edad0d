/** Message of a question to a model. */
export interface PromptMessage {
  role: 'system' | 'user';
  content: string;
}
