/** Files that the examples of the verbs name. */
export const FILES: Readonly<Record<string, string>> = {
  'conversations.jsonl': '{"messages":[{"role":"user","content":"Hello"}]}\n',
  'examples.jsonl': '{"messages":[{"role":"user","content":"Hello"},{"role":"assistant","content":"Hi"}]}\n',
  'example.json': '{"payload":{"input":{"type":"chat","messages":[]}},"source":{"kind":"manual"},"tags":["a"]}',
  'check.json': '{"form":"never_call","tools":["cancel"]}',
};
