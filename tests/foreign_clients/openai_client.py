"""Drives a running `inferwire serve` with the official openai package, as its users would.

usage: openai_client.py BASE_URL [KEYED_BASE_URL]     (the second server has the key "right-key")
"""

import asyncio
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Optional

import openai
from pydantic import BaseModel

BASE = sys.argv[1]
KEYED = sys.argv[2] if len(sys.argv) > 2 else None
MODEL = "inferwire-toy"
MESSAGES = [{"role": "user", "content": "Tell me about bread."}]
QUESTION = [{"role": "user", "content": "What is the weather in Paris?"}]


class City(BaseModel):
    city: str
    days: int
    rain: Optional[bool]


def connect(base_url, api_key="any"):
    return openai.OpenAI(base_url=base_url, api_key=api_key, max_retries=0)


client = connect(f"{BASE}/v1")
chat = client.chat.completions


def refused(call, kind, status):
    try:
        call()
    except kind as error:
        assert error.status_code == status, error
        return error
    raise AssertionError("it was not refused")


def models_are_listed():
    assert MODEL in [model.id for model in client.models.list()]
    assert client.models.retrieve(MODEL).id == MODEL


def create_and_stream_agree():
    asked = dict(model=MODEL, messages=MESSAGES, max_tokens=20, seed=3)
    reply = chat.create(**asked)
    assert reply.object == "chat.completion"
    assert reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens
    text, usage = "", None
    for chunk in chat.create(**asked, stream=True, stream_options={"include_usage": True}):
        text += (chunk.choices[0].delta.content or "") if chunk.choices else ""
        usage = chunk.usage or usage
    assert text == reply.choices[0].message.content
    assert usage == reply.usage


def the_stream_helper():
    with chat.stream(model=MODEL, messages=MESSAGES, n=2, logprobs=True, top_logprobs=2) as stream:
        kinds = {event.type for event in stream}
        final = stream.get_final_completion()
    assert {"chunk", "content.delta", "content.done"} <= kinds, kinds
    assert len(final.choices) == 2
    assert final.choices[0].finish_reason == "stop"
    assert len(final.choices[0].logprobs.content[0].top_logprobs) == 2


def parse_gives_an_object_of_the_schema():
    reply = chat.parse(model=MODEL, messages=QUESTION, response_format=City)
    assert isinstance(reply.choices[0].message.parsed, City)
    with chat.stream(model=MODEL, messages=QUESTION, response_format=City) as stream:
        assert isinstance(stream.get_final_completion().choices[0].message.parsed, City)
    not_supported = {"type": "object", "not": {}}
    error = refused(
        lambda: chat.create(
            model=MODEL,
            messages=QUESTION,
            response_format={
                "type": "json_schema",
                "json_schema": {"name": "n", "strict": True, "schema": not_supported},
            },
        ),
        openai.BadRequestError,
        400,
    )
    assert error.code == "invalid_json_schema"
    reply = chat.create(model=MODEL, messages=QUESTION, response_format={"type": "json_object"})
    assert isinstance(json.loads(reply.choices[0].message.content), dict)


def tools_are_called_and_answered():
    class GetWeather(BaseModel):
        city: str

    tools = [openai.pydantic_function_tool(GetWeather, name="get_weather")]
    asked = dict(model=MODEL, messages=QUESTION, tools=tools)
    message = chat.parse(**asked, tool_choice="required").choices[0].message
    call = message.tool_calls[0]
    assert isinstance(call.function.parsed_arguments, GetWeather)
    with chat.stream(**asked, tool_choice="required") as stream:
        streamed = stream.get_final_completion().choices[0].message.tool_calls[0]
    assert isinstance(streamed.function.parsed_arguments, GetWeather)
    assert chat.create(**asked, tool_choice="none").choices[0].message.tool_calls is None
    answer = {"role": "tool", "tool_call_id": call.id, "content": "rain"}
    follow_up = [*QUESTION, message.model_dump(exclude_none=True, exclude={"parsed"}), answer]
    follow_up[1]["tool_calls"][0]["function"].pop("parsed_arguments")
    assert chat.create(model=MODEL, messages=follow_up, tools=tools).choices[0].message.content


def completions_come_in_batches():
    asked = dict(model=MODEL, prompt=["The weather in the", "Bread is"], max_tokens=12, seed=3, n=2)
    whole = client.completions.create(**asked, logprobs=2, echo=True)
    assert whole.object == "text_completion" and len(whole.choices) == 4
    assert whole.choices[2].text.startswith("Bread is")
    texts = [""] * 4
    for chunk in client.completions.create(**asked, stream=True):
        for choice in chunk.choices:
            texts[choice.index] += choice.text
    assert texts == [choice.text for choice in client.completions.create(**asked).choices]


def rows_are_the_same_in_base64_and_as_numbers(by, **asked):
    packed = by.embeddings.create(**asked)
    spelt = by.embeddings.create(**asked, encoding_format="float")
    for one, other in zip(packed.data, spelt.data, strict=True):
        assert all(abs(a - b) < 1e-6 for a, b in zip(one.embedding, other.embedding, strict=True))


def embeddings_travel_in_base64_and_come_as_numbers():
    asked = dict(model="inferwire-embed", input=["one stone", "two rivers"], dimensions=16)
    rows_are_the_same_in_base64_and_as_numbers(client, **asked)
    refused(lambda: client.embeddings.create(**{**asked, "input": []}), openai.BadRequestError, 400)


def responses_whole_streamed_and_parsed():
    asked = dict(model=MODEL, input="Tell me about bread.", max_output_tokens=300)
    whole = client.responses.create(**asked)
    assert whole.output_text
    assert whole.usage.total_tokens == whole.usage.input_tokens + whole.usage.output_tokens
    text = ""
    for number, event in enumerate(client.responses.create(**asked, stream=True)):
        assert event.sequence_number == number
        text += event.delta if event.type == "response.output_text.delta" else ""
    assert text == whole.output_text
    with client.responses.stream(**asked) as stream:
        assert stream.until_done().get_final_response().output_text == text
    parsed = client.responses.parse(model=MODEL, input=QUESTION, text_format=City)
    assert isinstance(parsed.output_parsed, City)
    follow_up = [*QUESTION, *whole.output, {"role": "user", "content": "And cake?"}]
    assert client.responses.create(**{**asked, "input": follow_up}).output_text


def responses_call_functions():
    tool = {
        "type": "function",
        "name": "get_weather",
        "description": "The weather in a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    }
    called = client.responses.create(model=MODEL, input=QUESTION, tools=[tool])
    call = called.output[0]
    assert call.type == "function_call" and isinstance(json.loads(call.arguments)["city"], str)
    output = {"type": "function_call_output", "call_id": call.call_id, "output": "rain"}
    assert client.responses.create(model=MODEL, input=[*QUESTION, call, output], tools=[tool]).output_text


def responses_are_kept():
    first = client.responses.create(model=MODEL, input="Tell me about bread.", instructions="Be brief.")
    assert first.store and client.responses.retrieve(first.id).to_dict() == first.to_dict()
    second = client.responses.create(model=MODEL, input="And cake?", previous_response_id=first.id)
    assert second.previous_response_id == first.id and second.instructions is None
    asked = list(client.responses.input_items.list(second.id, order="asc", limit=2))
    assert [item.role for item in asked] == ["user", "assistant", "user"]
    assert asked[1] == first.output[0] and asked[2].content[0].text == "And cake?"
    client.responses.delete(first.id)
    error = refused(lambda: client.responses.retrieve(first.id), openai.NotFoundError, 404)
    assert error.body["message"] == f"Response with id '{first.id}' not found."
    error = refused(
        lambda: client.responses.create(model=MODEL, input="Well?", previous_response_id=first.id),
        openai.BadRequestError,
        400,
    )
    assert error.code == "previous_response_not_found"


def responses_are_made_in_the_background():
    asked = dict(model=MODEL, input="Tell me about bread.", background=True)
    queued = client.responses.create(**asked)
    assert queued.status == "queued"
    assert client.responses.retrieve(queued.id).output_text
    with client.responses.create(**asked, stream=True) as stream:
        seen = [next(stream) for _ in range(5)]
    rest = client.responses.retrieve(seen[0].response.id, stream=True, starting_after=seen[-1].sequence_number)
    numbers = [event.sequence_number for event in [*seen, *rest]]
    assert numbers == list(range(len(numbers)))
    whole = client.responses.retrieve(seen[0].response.id)
    assert whole.status == "completed" and client.responses.cancel(whole.id).to_dict() == whole.to_dict()


def databricks_answers_too():
    at = connect(f"{BASE}/serving-endpoints")
    rows_are_the_same_in_base64_and_as_numbers(at, model="databricks-bge-large-en", input=["one stone"])
    tools = [openai.pydantic_function_tool(City, name="get_weather")]
    asked = dict(model="databricks-gpt-oss-120b", tools=tools, max_tokens=1000)
    message = at.chat.completions.create(**asked, messages=QUESTION).choices[0].message
    assert message.content[0]["type"] == "reasoning"
    answer = {"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": "rain"}
    messages = [*QUESTION, message.model_dump(exclude_none=True, warnings=False), answer]
    assert at.chat.completions.create(**asked, messages=messages).choices[0].message.content


def errors_have_their_classes():
    error = refused(lambda: chat.create(model=MODEL, messages=MESSAGES, temperature=3), openai.BadRequestError, 400)
    assert error.param == "temperature" and error.code == "invalid_value"
    refused(lambda: chat.create(model="nobody", messages=MESSAGES), openai.NotFoundError, 404)
    if KEYED is None:
        return
    ask = lambda key: connect(f"{KEYED}/v1", key).chat.completions.create(model=MODEL, messages=MESSAGES, max_tokens=2)
    error = refused(lambda: ask("wrong-key"), openai.AuthenticationError, 401)
    assert "wrong-key" not in str(error)
    assert ask("right-key").id


def an_abort_ends_the_stream():
    with chat.create(model=MODEL, messages=MESSAGES, stream=True) as stream:
        for count, _ in enumerate(stream):
            if count == 2:
                break
    assert stream.response.is_closed


def twenty_calls_and_eight_streams_at_once():
    asked = dict(model=MODEL, messages=MESSAGES, max_tokens=30)

    def streamed(_):
        return "".join(chunk.choices[0].delta.content or "" for chunk in chat.create(**asked, stream=True))

    with ThreadPoolExecutor(28) as pool:
        whole = pool.map(lambda _: chat.create(**asked).choices[0].message.content, range(20))
        streams = pool.map(streamed, range(8))
        assert len({*whole, *streams}) == 1

    async def all_at_once():
        async with openai.AsyncOpenAI(base_url=f"{BASE}/v1", api_key="any") as many:
            return await asyncio.gather(*(many.chat.completions.create(**asked) for _ in range(20)))

    assert len({reply.choices[0].message.content for reply in asyncio.run(all_at_once())}) == 1


CHECKS = [
    models_are_listed,
    create_and_stream_agree,
    the_stream_helper,
    parse_gives_an_object_of_the_schema,
    tools_are_called_and_answered,
    completions_come_in_batches,
    embeddings_travel_in_base64_and_come_as_numbers,
    responses_whole_streamed_and_parsed,
    responses_call_functions,
    responses_are_kept,
    responses_are_made_in_the_background,
    databricks_answers_too,
    errors_have_their_classes,
    an_abort_ends_the_stream,
    twenty_calls_and_eight_streams_at_once,
]

for check in CHECKS:
    check()
    print("ok  ", check.__name__.replace("_", " "))
