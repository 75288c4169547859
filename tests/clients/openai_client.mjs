// Drives a running `inferwire serve` with the official openai package, as its users would.
// usage: node openai_client.mjs BASE_URL [KEYED_BASE_URL]     (the second server has the key "right-key")
import assert from 'node:assert/strict';
import OpenAI from 'openai';

const [base, keyed] = process.argv.slice(2);
const connect = (baseURL, apiKey = 'any') => new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const client = connect(`${base}/v1`);
const model = 'inferwire-toy';
const messages = [{ role: 'user', content: 'Tell me about bread.' }];
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
    await refused(client.responses.create({ ...asked, text: { format: { type: 'json_object' } } }),
      OpenAI.BadRequestError, 400);
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
