import type { ReactNode } from 'react';
import { BASE } from '../api/client.ts';
import { FirstUse } from '../ui/states.tsx';

/** Place of the first conversation: three ways to send one. */
export function FirstConversation(): ReactNode {
  return (
    <FirstUse title="No conversations yet">
      <p>They appear here by themselves as soon as a program sends them, in any of three ways:</p>
      <ol className="mt-3 flex flex-col gap-3">
        <Way title="OpenTelemetry, from whatever records your agents">
          {`OTEL_EXPORTER_OTLP_ENDPOINT=${BASE.replace(/\/$/, '')}\nOTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer <key>`}
        </Way>
        <Way title="An OpenAI client, which then runs on Clew and is recorded">{`OPENAI_BASE_URL=${BASE}v1\nOPENAI_API_KEY=<key>`}</Way>
        <Way title="A file, with one conversation a line">{'clew conversations import conversations.jsonl'}</Way>
      </ol>
    </FirstUse>
  );
}

function Way({ title, children }: { readonly title: string; readonly children: string }): ReactNode {
  return (
    <li>
      <p className="text-sm font-medium text-ink">{title}</p>
      <pre className="mt-1 overflow-x-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs text-ink">
        {children}
      </pre>
    </li>
  );
}
