"""Chats recorded by the Langfuse callback for LangChain, which does not record the ids of answers."""

import os

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from langfuse import Langfuse, propagate_attributes
from langfuse.langchain import CallbackHandler

url, key = os.environ["CLEW_URL"], os.environ["CLEW_API_KEY"]
os.environ["LANGFUSE_OTEL_TRACES_EXPORT_PATH"] = "v1/traces"
langfuse = Langfuse(
    public_key="pk-lf-unused",
    secret_key="sk-lf-unused",
    base_url=url,
    additional_headers={"Authorization": f"Bearer {key}"},
)
config = {"callbacks": [CallbackHandler()]}
endpoint = {"base_url": f"{url}/v1", "api_key": key, "max_retries": 0}
model = ChatOpenAI(model=os.environ["CLEW_MODEL"], **endpoint)
system = SystemMessage("Be brief.")


@tool
def add(a: int, b: int) -> str:
    """Adds two numbers"""
    return '{"sum":' + str(a + b) + "}"


model.invoke([system, HumanMessage("Plain: where is my parcel?")], config=config)
for _ in model.stream([system, HumanMessage("Streamed: where is my parcel?")], config=config):
    pass
agent = create_agent(model, [add])
agent.invoke({"messages": [HumanMessage("Tools: what is one and one?")]}, config=config)
with propagate_attributes(session_id="session-turns"):
    messages = [system]
    for question in ["Turns: my name is Ada.", "Turns: what is my name?"]:
        messages.append(HumanMessage(question))
        messages.append(AIMessage(model.invoke(messages, config=config).content))
try:
    model.invoke([system, HumanMessage("Failed: where is my parcel?")], config=config)
    raise AssertionError("The provider was to refuse this call")
except Exception as error:
    if isinstance(error, AssertionError):
        raise
OpenAIEmbeddings(
    model=os.environ["CLEW_EMBEDDING_MODEL"],
    check_embedding_ctx_length=False,
    **endpoint,
).embed_query("a text")
langfuse.shutdown()
