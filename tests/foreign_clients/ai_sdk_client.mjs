// Drives a running `inferwire serve` with the `ai` package, @ai-sdk/openai-compatible and @ai-sdk/openai, as their users
// would.
// usage: node ai_sdk_client.mjs BASE_URL [KEYED_BASE_URL]     (the second server has the key "right-key")
import assert from 'node:assert/strict';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, cosineSimilarity, embed, embedMany, generateObject, generateText, stepCountIs, streamObject,
  streamText, tool } from 'ai';
import { z } from 'zod';

const [base, keyed] = process.argv.slice(2);
const connect = (host, apiKey = 'any') => createOpenAICompatible({
  name: 'inferwire', baseURL: `${host}/v1`, apiKey, includeUsage: true, supportsStructuredOutputs: true });
const provider = connect(base);
const model = provider('inferwire-toy');
const responding = createOpenAI({ baseURL: `${base}/v1`, apiKey: 'any' })('inferwire-toy');
const prompt = 'Tell me about bread.';
const weatherQuestion = 'What is the weather in Paris?';
const asked = { model, prompt, temperature: 0, maxOutputTokens: 30, maxRetries: 0 };
const City = z.object({ city: z.string(), days: z.number().int().min(1).max(14), rain: z.boolean().nullable() });
const refused = async (call, status) => {
  const error = await call.then(() => assert.fail('it was not refused'), (caught) => caught);
  assert.ok(APICallError.isInstance(error), `${error}`);
  assert.equal(error.statusCode, status);
  return error;
};

const checks = {
  async 'generateText and streamText agree'() {
    const whole = await generateText(asked);
    assert.ok(whole.text.length > 0);
    assert.equal(whole.usage.totalTokens, whole.usage.inputTokens + whole.usage.outputTokens);
    const stream = streamText(asked);
    let text = '';
    for await (const piece of stream.textStream) text += piece;
    assert.equal(text, whole.text);
    assert.equal((await stream.usage).totalTokens, whole.usage.totalTokens);
    assert.equal(await stream.finishReason, whole.finishReason);
  },
  async 'generateObject and streamObject give objects of the schema'() {
    const object = { model, schema: City, prompt: weatherQuestion, maxRetries: 0 };
    City.parse((await generateObject(object)).object);
    const stream = streamObject(object);
    let pieces = 0;
    for await (const _ of stream.partialObjectStream) ++pieces;
    assert.ok(pieces > 1);
    City.parse(await stream.object);
  },
  async 'tools are run until there is an answer, whole and streamed'() {
    for (const [run, from] of [generateText, streamText].flatMap((run) => [[run, model], [run, responding]])) {
      const seen = [];
      const result = await run({
        model: from, prompt: weatherQuestion, maxRetries: 0, stopWhen: stepCountIs(3),
        tools: { get_weather: tool({ description: 'The weather in a city', inputSchema: z.object({ city: z.string() }),
          execute: ({ city }) => { seen.push(city); return `rain in ${city}`; } }) } });
      assert.ok((await result.text).length > 0);
      assert.equal((await result.steps).length, 2);
      assert.equal(seen.length, 1);
      assert.equal(typeof seen[0], 'string');
    }
  },
  async 'a second turn of the Responses API refers to what is kept of the first'() {
    const first = await generateText({ ...asked, model: responding });
    const user = (content) => ({ role: 'user', content });
    const messages = [user(prompt), ...first.response.messages, user('And about cheese.')];
    const second = await generateText({ model: responding, messages, maxOutputTokens: 30, maxRetries: 0 });
    assert.ok(second.text.length > 0);
    assert.match(JSON.stringify(second.request.body), /item_reference/);
  },
  async 'completions'() {
    const completed = await generateText({ ...asked, model: provider.completionModel('inferwire-toy'), prompt: 'Bread is' });
    assert.ok(completed.text.length > 0);
  },
  async 'embeddings: what is asked is nearest to what it is about'() {
    const embedder = provider.embeddingModel('inferwire-embed');
    const { embeddings } = await embedMany({ model: embedder, values: ['baking bread at home', 'rivers and lakes'] });
    const { embedding } = await embed({ model: embedder, value: 'how to bake bread' });
    assert.ok(cosineSimilarity(embedding, embeddings[0]) > cosineSimilarity(embedding, embeddings[1]));
  },
  async 'errors have their status'() {
    const error = await refused(generateText({ ...asked, temperature: 3 }), 400);
    assert.match(error.message, /temperature/);
    await refused(generateText({ ...asked, model: provider('nobody') }), 404);
    if (!keyed) return;
    const ask = (key) => generateText({ ...asked, model: connect(keyed, key)('inferwire-toy') });
    await refused(ask('wrong-key'), 401);
    assert.ok((await ask('right-key')).text);
  },
  async 'an abort ends the stream'() {
    const abort = new AbortController();
    const ended = [];
    const stream = streamText({ ...asked, maxOutputTokens: 4000, providerOptions: { inferwire: { ignore_eos: true } },
      abortSignal: abort.signal, onAbort: () => ended.push('abort'), onFinish: () => ended.push('finish') });
    let pieces = 0;
    for await (const part of stream.fullStream) if (part.type === 'text-delta' && ++pieces === 3) abort.abort();
    assert.deepEqual(ended, ['abort']);
    assert.ok(pieces < 100, `${pieces} pieces`);
  },
  async 'twenty calls and eight streams at once'() {
    const whole = Array.from({ length: 20 }, async () => (await generateText(asked)).text);
    const streams = Array.from({ length: 8 }, async () => streamText(asked).text);
    assert.equal(new Set(await Promise.all([...whole, ...streams])).size, 1);
  },
};

for (const [name, check] of Object.entries(checks)) {
  await check();
  console.log(`ok   ${name}`);
}
