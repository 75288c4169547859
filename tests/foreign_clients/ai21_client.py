"""Drives a running `inferwire serve` with the official ai21 package, as its users would.

usage: ai21_client.py BASE_URL [KEYED_BASE_URL]     (the second server has the key "right-key")
"""

import asyncio
import json
import sys
from concurrent.futures import ThreadPoolExecutor

import ai21
from ai21 import AI21Client, AsyncAI21Client
from ai21.models.chat import (
    ChatMessage,
    DocumentSchema,
    FunctionToolDefinition,
    ResponseFormat,
    ToolDefinition,
    ToolMessage,
    ToolParameters,
)

BASE = sys.argv[1]
KEYED = sys.argv[2] if len(sys.argv) > 2 else None
MODEL = "jamba-1.5-mini"
MESSAGES = [ChatMessage(role="user", content="Tell me about bread.")]


def connect(host, api_key="any"):
    return AI21Client(api_host=f"{host}/studio/v1", api_key=api_key, num_retries=0)


client = connect(BASE)
chat = client.chat.completions


def refused(call, kind):
    try:
        call()
    except kind as error:
        return error
    raise AssertionError("it was not refused")


def create_and_stream_agree():
    asked = dict(model=MODEL, messages=MESSAGES, max_tokens=20, temperature=0)
    reply = chat.create(**asked)
    assert reply.choices[0].message.content
    assert reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens
    text, usage = "", None
    for chunk in chat.create(**asked, stream=True):
        text += chunk.choices[0].delta.content or ""
        usage = chunk.usage or usage
    assert text == reply.choices[0].message.content
    assert usage.total_tokens == reply.usage.total_tokens


def several_choices_and_a_json_object():
    assert len(chat.create(model=MODEL, messages=MESSAGES, max_tokens=8, n=3).choices) == 3
    reply = chat.create(model=MODEL, messages=MESSAGES, response_format=ResponseFormat(type="json_object"))
    assert isinstance(json.loads(reply.choices[0].message.content), dict)


def documents_are_part_of_the_prompt():
    asked = dict(model=MODEL, messages=MESSAGES, max_tokens=8)
    document = DocumentSchema(content="Rye bread keeps for a week.", metadata={"source": "a book"})
    with_document = chat.create(**asked, documents=[document])
    assert with_document.usage.prompt_tokens > chat.create(**asked).usage.prompt_tokens


def tools_are_called_and_answered():
    parameters = ToolParameters(
        type="object", properties={"city": {"type": "string", "description": "the city"}}, required=["city"]
    )
    function = FunctionToolDefinition(
        name="get_weather", description="The weather in a city", parameters=parameters
    )
    tools = [ToolDefinition(type="function", function=function)]
    question = [ChatMessage(role="user", content="What is the weather in the city of Paris?")]
    message = chat.create(model=MODEL, messages=question, tools=tools).choices[0].message
    call = message.tool_calls[0]
    assert call.function.name == "get_weather"
    assert isinstance(json.loads(call.function.arguments)["city"], str)
    answer = ToolMessage(role="tool", tool_call_id=call.id, content="rain")
    assert chat.create(model=MODEL, messages=[*question, message, answer], tools=tools).choices[0].message.content


def errors_have_their_classes():
    error = refused(lambda: chat.create(model=MODEL, messages=MESSAGES, temperature=3), ai21.errors.BadRequest)
    assert "temperature" in str(error)
    error = refused(lambda: chat.create(model="nobody", messages=MESSAGES), ai21.errors.AI21APIError)
    assert error.status_code == 404
    if KEYED is None:
        return
    ask = lambda key: connect(KEYED, key).chat.completions.create(model=MODEL, messages=MESSAGES, max_tokens=2)
    refused(lambda: ask("wrong-key"), ai21.errors.Unauthorized)
    assert ask("right-key").id


def an_abort_ends_the_stream():
    stream = chat.create(model=MODEL, messages=MESSAGES, stream=True)
    for count, _ in enumerate(stream):
        if count == 2:
            break
    stream.close() if hasattr(stream, "close") else None
    assert chat.create(model=MODEL, messages=MESSAGES, max_tokens=2).id


def twenty_calls_and_eight_streams_at_once():
    asked = dict(model=MODEL, messages=MESSAGES, max_tokens=30, temperature=0)

    def streamed(_):
        return "".join(chunk.choices[0].delta.content or "" for chunk in chat.create(**asked, stream=True))

    with ThreadPoolExecutor(28) as pool:
        whole = pool.map(lambda _: chat.create(**asked).choices[0].message.content, range(20))
        streams = pool.map(streamed, range(8))
        assert len({*whole, *streams}) == 1

    async def all_at_once():
        many = AsyncAI21Client(api_host=f"{BASE}/studio/v1", api_key="any")
        return await asyncio.gather(*(many.chat.completions.create(**asked) for _ in range(8)))

    assert len({reply.choices[0].message.content for reply in asyncio.run(all_at_once())}) == 1


CHECKS = [
    create_and_stream_agree,
    several_choices_and_a_json_object,
    documents_are_part_of_the_prompt,
    tools_are_called_and_answered,
    errors_have_their_classes,
    an_abort_ends_the_stream,
    twenty_calls_and_eight_streams_at_once,
]

for check in CHECKS:
    check()
    print("ok  ", check.__name__.replace("_", " "))
