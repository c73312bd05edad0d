"""Chats recorded by the OpenTelemetry instrumentation, with the message content in events, which are log records."""

import os

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "event_only"
os.environ["OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT"] = "true"

from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor

from chats import hold_all, new_client
from exporting import export_logs, export_traces, in_one_trace

traces, logs = export_traces(), export_logs()
OpenAIInstrumentor().instrument()
hold_all(new_client(), in_one_trace)
traces.shutdown()
logs.shutdown()
