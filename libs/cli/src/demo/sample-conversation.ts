/** Message as the OpenAI API has it. */
export interface SampleMessage {
  role: string;
  content: string | null;
  tool_calls?: readonly { id: string; type: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** Conversation to look around with. */
export interface SampleConversation {
  name: string;
  agent: string;
  model: string;
  messages: readonly SampleMessage[];
}
