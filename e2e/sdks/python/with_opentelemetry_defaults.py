"""Chats recorded by the OpenTelemetry instrumentation as installed: its spans hold no message content."""

from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor

from chats import new_client, plain_and_streamed, two_turns
from exporting import export_traces, in_one_trace

traces = export_traces()
OpenAIInstrumentor().instrument()
client = new_client()
plain_and_streamed(client)
with in_one_trace("turns"):
    two_turns(client)
traces.shutdown()
