// Drives a running `inferwire serve` with the official openai package, as its users would.
// usage: node openai_client.mjs BASE_URL [KEYED_BASE_URL]     (the second server has the key "right-key")
import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { zodFunction, zodResponseFormat, zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';

const [base, keyed] = process.argv.slice(2);
const connect = (baseURL, apiKey = 'any') => new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const client = connect(`${base}/v1`);
const model = 'inferwire-toy';
const messages = [{ role: 'user', content: 'Tell me about bread.' }];
const City = z.object({ city: z.string(), days: z.number().int().min(1).max(14), rain: z.boolean().nullable() });
const weatherQuestion = [{ role: 'user', content: 'What is the weather in Paris?' }];
const refused = async (call, type, status) => {
  const error = await call.then(() => assert.fail('it was not refused'), (caught) => caught);
  assert.ok(error instanceof type, `${error}`);
  assert.equal(error.status, status);
  return error;
};

const checks = {
  async 'models are listed'() {
    const names = [];
    for await (const entry of client.models.list()) names.push(entry.id);
    assert.ok(names.includes(model));
    assert.equal((await client.models.retrieve(model)).id, model);
  },
  async 'create'() {
    const reply = await client.chat.completions.create({ model, messages, max_tokens: 20, seed: 3 });
    assert.equal(reply.object, 'chat.completion');
    assert.ok(reply.choices[0].message.content.length > 0);
    assert.equal(reply.usage.total_tokens, reply.usage.prompt_tokens + reply.usage.completion_tokens);
  },
  async 'stream, with usage'() {
    const stream = await client.chat.completions.create({
      model, messages, max_tokens: 20, seed: 3, stream: true, stream_options: { include_usage: true } });
    let text = '';
    let usage;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta?.content ?? '';
      usage = chunk.usage ?? usage;
    }
    const whole = await client.chat.completions.create({ model, messages, max_tokens: 20, seed: 3 });
    assert.equal(text, whole.choices[0].message.content);
    assert.deepEqual(usage, whole.usage);
  },
  async 'the stream helper'() {
    const stream = client.chat.completions.stream({ model, messages, max_tokens: 20, n: 2 });
    const final = await stream.finalChatCompletion();
    assert.equal(final.choices.length, 2);
    assert.ok(['stop', 'length'].includes(final.choices[0].finish_reason));
  },
  async 'logprobs, stop, parts'() {
    const reply = await client.chat.completions.create({
      model, messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      max_tokens: 9, logprobs: true, top_logprobs: 3, stop: ['~~~'] });
    assert.equal(reply.choices[0].logprobs.content.length, reply.usage.completion_tokens);
    assert.equal(reply.choices[0].logprobs.content[0].top_logprobs.length, 3);
  },
  async 'responses: whole, streamed, and the helper'() {
    const asked = { model, input: 'Tell me about bread.', max_output_tokens: 20 };
    const whole = await client.responses.create(asked);
    assert.ok(whole.output_text.length > 0);
    assert.equal(whole.usage.total_tokens, whole.usage.input_tokens + whole.usage.output_tokens);
    let text = '';
    let number = 0;
    for await (const event of await client.responses.create({ ...asked, stream: true })) {
      assert.equal(event.sequence_number, number++);
      if (event.type === 'response.output_text.delta') text += event.delta;
    }
    assert.equal(text, whole.output_text);
    const final = await client.responses.stream(asked).finalResponse();
    assert.equal(final.output_text, text);
    const next = [...final.output, { role: 'user', content: 'And cake?' }];
    assert.ok((await client.responses.create({ ...asked, input: next, instructions: 'Be brief.' })).output_text);
  },
  async 'parse: the answer is an object of the schema, whole and streamed'() {
    const asked = { model, messages: weatherQuestion, response_format: zodResponseFormat(City, 'city') };
    const reply = await client.chat.completions.parse(asked);
    assert.deepEqual(City.parse(reply.choices[0].message.parsed), reply.choices[0].message.parsed);
    const final = await client.chat.completions.stream({ ...asked, seed: 3 }).finalChatCompletion();
    City.parse(final.choices[0].message.parsed);
    const strict = { type: 'json_schema', json_schema: { name: 'n', strict: true, schema: { type: 'object', not: {} } } };
    const error = await refused(client.chat.completions.create({ ...asked, response_format: strict }),
      OpenAI.BadRequestError, 400);
    assert.equal(error.code, 'invalid_json_schema');
    const object = await client.chat.completions.create({ ...asked, response_format: { type: 'json_object' } });
    assert.equal(typeof JSON.parse(object.choices[0].message.content), 'object');
  },
  async 'tools: called, streamed, and answered'() {
    const tools = [zodFunction({ name: 'get_weather', description: 'The weather in a city', parameters: City })];
    const asked = { model, messages: weatherQuestion, tools };
    const reply = await client.chat.completions.parse({ ...asked, tool_choice: 'required' });
    assert.equal(reply.choices[0].finish_reason, 'tool_calls');
    const [call] = reply.choices[0].message.tool_calls;
    City.parse(call.function.parsed_arguments);
    const final = await client.chat.completions.stream({ ...asked, tool_choice: 'required' }).finalChatCompletion();
    City.parse(JSON.parse(final.choices[0].message.tool_calls[0].function.arguments));
    const none = await client.chat.completions.create({ ...asked, tool_choice: 'none' });
    assert.equal(none.choices[0].message.tool_calls, undefined);
    const answered = await client.chat.completions.create({
      ...asked,
      messages: [...weatherQuestion, reply.choices[0].message, { role: 'tool', tool_call_id: call.id, content: 'rain' }] });
    assert.ok(answered.choices[0].message.content.length > 0);
  },
  async 'the tool runner, whole and streamed'() {
    for (const stream of [false, true]) {
      const seen = [];
      const runner = client.chat.completions.runTools({
        model, messages: weatherQuestion, stream,
        tools: [{ type: 'function', function: {
          name: 'get_weather', description: 'The weather in a city', parse: JSON.parse,
          parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
          function: ({ city }) => { seen.push(city); return `rain in ${city}`; } } }] });
      assert.ok((await runner.finalContent()).length > 0);
      assert.equal(seen.length, 1);
      assert.equal(typeof seen[0], 'string');
    }
  },
  async 'responses: parse, function calls and their results'() {
    const asked = { model, input: 'What is the weather in Paris?' };
    const parsed = await client.responses.parse({ ...asked, text: { format: zodTextFormat(City, 'city') } });
    City.parse(parsed.output_parsed);
    const tools = [zodResponsesFunction({ name: 'get_weather', description: 'The weather in a city', parameters: City })];
    const called = await client.responses.parse({ ...asked, tools });
    const [call] = called.output;
    assert.equal(call.type, 'function_call');
    City.parse(call.parsed_arguments);
    const final = await client.responses.stream({ ...asked, tools }).finalResponse();
    assert.equal(final.output[0].name, 'get_weather');
    const input = [{ role: 'user', content: asked.input },
      { type: 'function_call', call_id: call.call_id, name: call.name, arguments: call.arguments },
      { type: 'function_call_output', call_id: call.call_id, output: 'rain' }];
    assert.ok((await client.responses.create({ ...asked, tools, input })).output_text.length > 0);
  },
  async 'reasoning: an item of its own, its summary streamed'() {
    const asked = { model: 'databricks-gpt-5', input: 'Bread?', reasoning: { effort: 'low', summary: 'auto' } };
    const final = await client.responses.stream(asked).finalResponse();
    assert.deepEqual(final.output.map((item) => item.type), ['reasoning', 'message']);
    assert.ok(final.output[0].summary[0].text.length > 0);
    assert.ok(final.usage.output_tokens_details.reasoning_tokens > 0);
  },
  async 'completions: a batch, streamed and whole'() {
    const asked = { model, prompt: ['The weather in the', 'Bread is'], max_tokens: 12, seed: 3, n: 2 };
    const whole = await client.completions.create({ ...asked, logprobs: 2, echo: true });
    assert.equal(whole.object, 'text_completion');
    assert.equal(whole.choices.length, 4);
    assert.ok(whole.choices[2].text.startsWith('Bread is'));
    assert.equal(whole.choices[0].logprobs.token_logprobs[0], null);
    const texts = ['', '', '', ''];
    for await (const chunk of await client.completions.create({ ...asked, stream: true })) {
      for (const choice of chunk.choices) texts[choice.index] += choice.text;
    }
    assert.deepEqual(texts, (await client.completions.create(asked)).choices.map((choice) => choice.text));
  },
  async 'embeddings: the package asks for base64 and gives numbers'() {
    const asked = { model: 'inferwire-embed', input: ['one stone', 'two rivers'], dimensions: 16 };
    const packed = await client.embeddings.create(asked);
    const spelt = await client.embeddings.create({ ...asked, encoding_format: 'float' });
    assert.equal(packed.data.length, 2);
    assert.deepEqual(packed.data.map((item) => Array.from(item.embedding, Math.fround)),
      spelt.data.map((item) => item.embedding.map(Math.fround)));
    await refused(client.embeddings.create({ ...asked, input: [] }), OpenAI.BadRequestError, 400);
  },
  async 'an abort ends the stream'() {
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    let chunks = 0;
    for await (const _ of stream) if (++chunks === 3) break;
    assert.equal(chunks, 3);
  },
  async 'twenty requests and eight streams at once'() {
    const whole = Array.from({ length: 20 }, () => client.chat.completions.create({ model, messages, max_tokens: 30 }));
    const streams = Array.from({ length: 8 }, () => client.chat.completions.stream({ model, messages, max_tokens: 30 }).finalContent());
    const texts = [...(await Promise.all(whole)).map((r) => r.choices[0].message.content), ...(await Promise.all(streams))];
    assert.equal(new Set(texts).size, 1);
  },
  async 'a 400 is a BadRequestError and names the parameter'() {
    const error = await refused(client.chat.completions.create({ model, messages, temperature: 3 }), OpenAI.BadRequestError, 400);
    assert.equal(error.param, 'temperature');
    assert.equal(error.code, 'invalid_value');
  },
  async 'a 404 is a NotFoundError'() {
    await refused(client.chat.completions.create({ model: 'nobody', messages }), OpenAI.NotFoundError, 404);
  },
  async 'Databricks: the OpenAI style path below /serving-endpoints'() {
    const databricks = connect(`${base}/serving-endpoints`);
    const name = 'databricks-meta-llama-3-3-70b-instruct';
    const reply = await databricks.chat.completions.create({ model: name, messages, max_tokens: 5 });
    assert.equal(reply.model, 'meta-llama-3.3-70b-instruct-121024');
    await refused(databricks.chat.completions.create({ model: name, messages, seed: 1 }), OpenAI.BadRequestError, 400);
  },
  async 'a 401 is an AuthenticationError, the right key opens'() {
    if (!keyed) return;
    const call = (key) => connect(`${keyed}/v1`, key).chat.completions.create({ model, messages, max_tokens: 2 });
    const error = await refused(call('wrong-key'), OpenAI.AuthenticationError, 401);
    assert.ok(!error.message.includes('wrong-key'));
    assert.ok((await call('right-key')).id);
  },
};

for (const [name, check] of Object.entries(checks)) {
  await check();
  console.log(`ok   ${name}`);
}
