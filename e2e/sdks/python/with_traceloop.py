from opentelemetry.instrumentation.openai import OpenAIInstrumentor

from chats import hold_all, new_client
from exporting import export_traces, in_one_trace

traces = export_traces()
OpenAIInstrumentor().instrument(tracer_provider=traces)
hold_all(new_client(), in_one_trace)
traces.shutdown()
