// Drives a running `inferwire serve` with @langchain/openai, as its users would.
// usage: node langchain_client.mjs BASE_URL [KEYED_BASE_URL]     (the second server has the key "right-key")
import assert from 'node:assert/strict';
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI, OpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { z } from 'zod';

const [base, keyed] = process.argv.slice(2);
const of = (host, apiKey = 'any') => ({ apiKey, maxRetries: 0, configuration: { baseURL: `${host}/v1` } });
const model = (more = {}) => new ChatOpenAI({ ...of(base), model: 'inferwire-toy', maxTokens: 30, temperature: 0, ...more });
const City = z.object({ city: z.string(), days: z.number().int().min(1).max(14), rain: z.boolean().nullable() });
const weatherQuestion = 'What is the weather in Paris?';
const getWeather = tool(({ city }) => `rain in ${city}`, {
  name: 'get_weather', description: 'The weather in a city', schema: z.object({ city: z.string() }) });
const refused = async (call, status) => {
  const error = await call.then(() => assert.fail('it was not refused'), (caught) => caught);
  assert.equal(error.status, status, `${error}`);
  return error;
};
const text_of = async (stream) => {
  let text = '';
  for await (const chunk of stream) text += chunk.text ?? chunk;
  return text;
};

const checks = {
  async 'invoke and stream agree'() {
    const messages = [new SystemMessage('Be brief.'), new HumanMessage('Tell me about bread.')];
    const reply = await model().invoke(messages);
    assert.ok(reply.text.length > 0);
    const { input_tokens, output_tokens, total_tokens } = reply.usage_metadata;
    assert.equal(total_tokens, input_tokens + output_tokens);
    assert.equal(await text_of(await model().stream(messages)), reply.text);
  },
  async 'the events of a stream'() {
    const kinds = new Set();
    for await (const { event } of model().streamEvents('Tell me about bread.', { version: 'v2' })) kinds.add(event);
    for (const kind of ['on_chat_model_start', 'on_chat_model_stream', 'on_chat_model_end']) assert.ok(kinds.has(kind), kind);
  },
  async 'structured output, by schema and by function'() {
    for (const method of ['jsonSchema', 'functionCalling']) {
      const found = await model({ maxTokens: 200 }).withStructuredOutput(City, { method, name: 'city' }).invoke(weatherQuestion);
      assert.deepEqual(City.parse(found), found);
    }
  },
  async 'tools: called, streamed, and answered'() {
    const bound = model({ maxTokens: 200 }).bindTools([getWeather]);
    const reply = await bound.invoke(weatherQuestion);
    assert.equal(reply.tool_calls[0].name, 'get_weather');
    let whole;
    for await (const chunk of await bound.stream(weatherQuestion)) whole = whole ? whole.concat(chunk) : chunk;
    assert.deepEqual(whole.tool_calls.map(({ name, args }) => ({ name, args })),
      reply.tool_calls.map(({ name, args }) => ({ name, args })));
    const result = await getWeather.invoke(reply.tool_calls[0]);
    assert.ok(result instanceof ToolMessage);
    assert.ok((await bound.invoke([new HumanMessage(weatherQuestion), reply, result])).text.length > 0);
  },
  async 'the Responses API'() {
    const responses = model({ useResponsesApi: true });
    const reply = await responses.invoke('Tell me about bread.');
    assert.ok(reply.text.length > 0);
    assert.equal(await text_of(await responses.stream('Tell me about bread.')), reply.text);
    const called = await model({ useResponsesApi: true, maxTokens: 200 }).bindTools([getWeather]).invoke(weatherQuestion);
    assert.equal(called.tool_calls[0].name, 'get_weather');
  },
  async 'completions, whole and streamed'() {
    const completions = new OpenAI({ ...of(base), model: 'inferwire-toy', maxTokens: 12, temperature: 0 });
    const whole = await completions.invoke('Bread is');
    assert.ok(whole.length > 0);
    assert.equal(await text_of(await completions.stream('Bread is')), whole);
  },
  async 'embeddings: what is asked is nearest to what it is about'() {
    const embeddings = new OpenAIEmbeddings({ ...of(base), model: 'inferwire-embed' });
    const [bread, rivers] = await embeddings.embedDocuments(['baking bread at home', 'rivers and lakes']);
    const asked = await embeddings.embedQuery('how to bake bread');
    const near = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
    assert.equal(asked.length, 1024);
    assert.ok(near(asked, bread) > near(asked, rivers));
  },
  async 'errors have their status'() {
    const error = await refused(model({ temperature: 3 }).invoke('x'), 400);
    assert.match(error.message, /temperature/);
    await refused(model({ model: 'nobody' }).invoke('x'), 404);
    if (!keyed) return;
    const ask = (key) => new ChatOpenAI({ ...of(keyed, key), model: 'inferwire-toy', maxTokens: 2 }).invoke('x');
    await refused(ask('wrong-key'), 401);
    assert.ok((await ask('right-key')).id);
  },
  async 'an abort ends the stream'() {
    const abort = new AbortController();
    let chunks = 0;
    try {
      const stream = await model({ maxTokens: 4000, modelKwargs: { ignore_eos: true } }).stream('x', { signal: abort.signal });
      for await (const _ of stream) if (++chunks === 3) abort.abort();
      assert.fail('it went on');
    } catch (error) {
      assert.match(`${error.name} ${error.message}`, /abort/i);
    }
    assert.ok(chunks < 100, `${chunks} chunks`);
  },
  async 'twenty calls and eight streams at once'() {
    const question = 'Tell me about bread.';
    const whole = Array.from({ length: 20 }, async () => (await model().invoke(question)).text);
    const streams = Array.from({ length: 8 }, async () => text_of(await model().stream(question)));
    assert.equal(new Set(await Promise.all([...whole, ...streams])).size, 1);
  },
};

for (const [name, check] of Object.entries(checks)) {
  await check();
  console.log(`ok   ${name}`);
}
