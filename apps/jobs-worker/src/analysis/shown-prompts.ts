import { MAX_PROMPT_TOOLS, MAX_SHOWN_PROMPTS, type ConversationSnapshot, type ShownPrompt } from '@clew/contracts';
import { promptsOf } from '@clew/rules';

/** Collects the prompts that the snapshots of a message show: each once, with the tools of all of them. */
export interface ShownPrompts {
  add(snapshot: ConversationSnapshot): void;
  /** Takes those that were collected since. */
  take(): ShownPrompt[];
}

export function createShownPrompts(): ShownPrompts {
  const shown = new Map<string, ShownPrompt>();
  return {
    add(snapshot) {
      for (const { promptHash, agent, tools } of promptsOf(snapshot)) {
        const key = `${promptHash} ${agent ?? ''}`;
        const known = shown.get(key);
        if (known === undefined && shown.size >= MAX_SHOWN_PROMPTS) continue;
        const all = new Set([...(known?.tools ?? []), ...tools]);
        shown.set(key, {
          promptHash,
          ...(agent === undefined ? {} : { agent }),
          tools: [...all].slice(0, MAX_PROMPT_TOOLS),
          snapshotId: known?.snapshotId ?? snapshot.snapshotId,
        });
      }
    },
    take() {
      const taken = [...shown.values()];
      shown.clear();
      return taken;
    },
  };
}
