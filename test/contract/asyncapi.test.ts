import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  collectorPublishes,
  collectorReceives,
  collectorTopic,
  quantities,
} from '@helioport/contract';
import { expect, test } from 'vitest';
import { collectorAsyncApi } from '../../packages/contract/src/asyncapi/index.ts';

const document = collectorAsyncApi({ host: 'solar.example:1883', version: '1.2.3' }) as any;
const page = readFileSync(new URL('../../docs/collector-protocol.md', import.meta.url), 'utf8');

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema({ $id: 'collector', ...document });
const faultsOf = (schema: string, value: unknown): unknown => {
  const validate = ajv.getSchema(`collector#/components/schemas/${schema}`)!;
  return validate(value) ? [] : validate.errors;
};

test('every reference in the document leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, path]) => path!,
  );
  expect(references.length).toBeGreaterThan(20);
  const dangling = references.filter(
    (path) => path.split('/').reduce((at: any, step) => at?.[step], document) === undefined,
  );
  expect(dangling).toEqual([]);
});

test('the channels are the topics, and each is sent to or received from', () => {
  const topics = [...collectorPublishes, ...collectorReceives];
  expect(
    Object.entries(document.channels).map(([name, { address }]: any) => [name, address]),
  ).toEqual(topics.map((name) => [name, collectorTopic('{collectorId}', name)]));
  const operations = Object.values(document.operations) as any[];
  const channelsOf = (action: string): string[] =>
    operations.filter((one) => one.action === action).map(({ channel }) => channel.$ref);
  expect(channelsOf('send')).toEqual(collectorPublishes.map((name) => `#/channels/${name}`));
  expect(channelsOf('receive')).toEqual(collectorReceives.map((name) => `#/channels/${name}`));
});

test('every example is what its schema says', () => {
  for (const [name, { examples }] of Object.entries<any>(document.components.messages)) {
    for (const { payload } of examples) expect([name, faultsOf(name, payload)]).toEqual([name, []]);
  }
});

test('a reading has every quantity and no other', () => {
  const { values } = document.components.schemas.Reading.properties;
  expect(Object.keys(values.properties)).toEqual([...quantities.keys()]);
  expect(faultsOf('Reading', { sn: 'X', at: 1, values: { power: 1 } })).not.toEqual([]);
});

test('the page about the protocol names every topic, and its examples are what the schemas say', () => {
  for (const name of [...collectorPublishes, ...collectorReceives])
    expect(page).toContain(`\`${collectorTopic('{collectorId}', name)}\``);
  const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(
    ([, text]) => JSON.parse(text!) as object,
  );
  const schemaOf = (example: object): string =>
    'commands' in example
      ? 'Commands'
      : 'results' in example
        ? 'Results'
        : 'offline' in example
          ? 'Farewell'
          : 'status' in example
            ? 'Acknowledgement'
            : 'Report';
  expect(new Set(examples.map(schemaOf))).toEqual(
    new Set(['Commands', 'Results', 'Farewell', 'Acknowledgement', 'Report']),
  );
  for (const example of examples)
    expect([example, faultsOf(schemaOf(example), example)]).toEqual([example, []]);
});

test('the page names every quantity with its unit and bounds, and no other', () => {
  const rows = [
    ...page
      .split('## Quantities')[1]!
      .matchAll(/^\| `(\w+)`(?: ... `(\w+)`)? \| (.*?) \| (.*?) \|/gm),
  ];
  for (const [, first, , , values] of rows) {
    const { bounds } = quantities.get(first!)!;
    expect([first, values]).toEqual([
      first,
      bounds === 'power'
        ? '[what the device can](readings.md#limits)'
        : `${bounds[0]} to ${bounds[1]}`,
    ]);
  }
  const named = rows.flatMap(([, first, last, unit]) => {
    const [, stem, count, suffix] = /^(\D+)(\d+)(\D*)$/.exec(last ?? '') ?? [];
    return last === undefined
      ? [[first, unit]]
      : Array.from({ length: Number(count) }, (_, i) => [`${stem}${i + 1}${suffix}`, unit]);
  });
  expect(named).toEqual([...quantities.values()].map(({ name, unit }) => [name, unit]));
});
