// Holds texts against their schemas: each line of the file is a list of both.
// usage: node ajv.mjs FILE
import fs from 'node:fs';
import readline from 'node:readline';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

// 2.1 is 7 times 0.3, but not in floating point.
const ajv = new Ajv({ strict: false, allErrors: false, multipleOfPrecision: 4 });
addFormats(ajv);

let texts = 0;
let bad = 0;
let schema;
let validate;
for await (const line of readline.createInterface({ input: fs.createReadStream(process.argv[2]) })) {
  const [own, instance] = JSON.parse(line);
  if (JSON.stringify(own) !== schema) {
    schema = JSON.stringify(own);
    ajv.removeSchema();
    validate = ajv.compile(own);
  }
  ++texts;
  if (validate(instance)) continue;
  ++bad;
  if (bad <= 20) console.log(`not an instance: ${line}\n  ${JSON.stringify(validate.errors)}`);
}
console.log(`${texts} texts, ${bad} of them no instances`);
process.exit(texts > 0 && bad === 0 ? 0 : 1);
