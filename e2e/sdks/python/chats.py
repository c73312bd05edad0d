"""Chats that every Python program runs through the endpoint, with the official OpenAI client."""

import os

from openai import OpenAI, OpenAIError

MODEL = os.environ["CLEW_MODEL"]
SYSTEM = {"role": "system", "content": "Be brief."}
ADD = {
    "type": "function",
    "function": {
        "name": "add",
        "description": "Adds two numbers",
        "parameters": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}},
    },
}


def new_client():
    return OpenAI(base_url=os.environ["CLEW_URL"] + "/v1", api_key=os.environ["CLEW_API_KEY"], max_retries=0)


def ask(client, question, **options):
    messages = [SYSTEM, {"role": "user", "content": question}]
    return client.chat.completions.create(model=MODEL, messages=messages, **options)


def plain_and_streamed(client):
    ask(client, "Plain: where is my parcel?")
    for _ in ask(client, "Streamed: where is my parcel?", stream=True):
        pass


def with_tools(client):
    messages = [{"role": "user", "content": "Tools: what is one and one?"}]
    answer = client.chat.completions.create(model=MODEL, messages=messages, tools=[ADD]).choices[0].message
    messages.append(answer.model_dump(exclude_none=True))
    for call in answer.tool_calls:
        messages.append({"role": "tool", "tool_call_id": call.id, "content": '{"sum":2}'})
    client.chat.completions.create(model=MODEL, messages=messages, tools=[ADD])


def two_turns(client):
    messages = [SYSTEM]
    for question in ["Turns: my name is Ada.", "Turns: what is my name?"]:
        messages.append({"role": "user", "content": question})
        answer = client.chat.completions.create(model=MODEL, messages=messages).choices[0].message
        messages.append({"role": "assistant", "content": answer.content})


def failed(client):
    try:
        ask(client, "Failed: where is my parcel?")
    except OpenAIError:
        return
    raise AssertionError("The provider was to refuse this call")


def hold_all(client, together):
    """Runs all chats; `together` is entered around the calls of one conversation."""
    plain_and_streamed(client)
    with together("tools"):
        with_tools(client)
    with together("turns"):
        two_turns(client)
    failed(client)
    client.models.list()
    client.embeddings.create(model=os.environ["CLEW_EMBEDDING_MODEL"], input=["a text"])
