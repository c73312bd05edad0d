from openinference.instrumentation import using_session
from openinference.instrumentation.openai import OpenAIInstrumentor

from chats import hold_all, new_client
from exporting import export_traces

traces = export_traces()
OpenAIInstrumentor().instrument(tracer_provider=traces)
hold_all(new_client(), lambda name: using_session(f"session-{name}"))
traces.shutdown()
