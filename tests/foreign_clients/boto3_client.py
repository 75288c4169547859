"""Drives a running `inferwire serve --sigv4` with the official boto3 package, as SageMaker's users would.

usage: boto3_client.py BASE_URL KEYED_BASE_URL SIGNED_BASE_URL     (the third server has the keys below)
"""

import json
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

SIGNED = sys.argv[3]
ENDPOINT = "inferwire-toy"
MESSAGES = [{"role": "user", "content": "Tell me about bread."}]


def connect(secret="right-secret"):
    return boto3.client(
        "sagemaker-runtime",
        region_name="eu-west-1",
        endpoint_url=SIGNED,
        aws_access_key_id="AKIDEXAMPLE",
        aws_secret_access_key=secret,
        config=Config(retries={"max_attempts": 1}),
    )


client = connect()


def body(messages=MESSAGES, **members):
    return json.dumps({"messages": messages, "max_tokens": 20, "seed": 3, **members})


def invoke(by=client, **asked):
    return by.invoke_endpoint(EndpointName=ENDPOINT, ContentType="application/json", **asked)


def refused(call):
    try:
        call()
    except ClientError as error:
        return error.response
    raise AssertionError("it was not refused")


def with_an_image_of(size):
    url = "data:image/png;base64," + "A" * (size // 4 * 4)
    return body([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}])


def whole_and_stream_agree():
    answer = invoke(Body=body())
    assert answer["InvokedProductionVariant"] == "AllTraffic"
    text = json.loads(answer["Body"].read())["choices"][0]["message"]["content"]
    streamed = client.invoke_endpoint_with_response_stream(
        EndpointName=ENDPOINT, ContentType="application/json", Body=body(stream=True)
    )
    assert streamed["ContentType"] == "application/jsonlines"
    lines = b"".join(event["PayloadPart"]["Bytes"] for event in streamed["Body"]).splitlines()
    assert "".join(json.loads(line)["choices"][0]["delta"]["content"] for line in lines) == text


def bodies_are_signed_whatever_their_length():
    assert json.loads(invoke(Body=with_an_image_of(5 << 20))["Body"].read())["choices"]
    refusal = refused(lambda: invoke(Body=with_an_image_of(6 << 20)))
    assert refusal["ResponseMetadata"]["HTTPStatusCode"] == 413, refusal


def errors_have_their_types():
    refusal = refused(lambda: invoke(Body=body(temperature=3)))
    assert refusal["Error"]["Code"] == "ModelError" and refusal["OriginalStatusCode"] == 400
    refusal = refused(lambda: invoke(connect("wrong-secret"), Body=body()))
    assert refusal["Error"]["Code"] == "InvalidSignatureException"
    assert refusal["ResponseMetadata"]["RequestId"]


CHECKS = [
    whole_and_stream_agree,
    bodies_are_signed_whatever_their_length,
    errors_have_their_types,
]

for check in CHECKS:
    check()
    print("ok  ", check.__name__.replace("_", " "))
