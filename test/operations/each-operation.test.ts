import { hasDoor, operations, type OperationId } from '@helioport/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startInterfaces, type Ask, type Interfaces } from '../access/requesters.ts';
import { recordsOf } from '../contract/every-operation.ts';
import { anyKnownKeys, knownKeys } from '../contract/known-keys.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createFleet } from './fleet.ts';
import { rows, type Container, type Place } from './rows.ts';
import { createRichScene, SCENE_NOW } from './scene.ts';
import { plantOperations, type PlantOperation } from './plant-operations.ts';

const all = plantOperations;

test('every operation has a row: a shape, defaults, a bad input', () => {
  expect(Object.keys(rows).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
  for (const { id, request } of all) {
    const { bad, counters, container } = rows[id];
    const names = Object.values(request).flatMap((parameter) => [...parameter.names]);
    expect([id, names.includes(bad[0])]).toEqual([id, true]);
    expect([id, container === 'listing']).toEqual([id, counters !== undefined]);
    // What pages is asked for a page in the words of its defaults.
    if (names.includes('pageNo'))
      expect([id, rows[id].alike.some((ask) => ask({} as Place)['pageSize'] === 20)]).toEqual([
        id,
        true,
      ]);
  }
});

const typeOf = (value: unknown): string =>
  Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;

const SIBLING = /(Str|Pec|Unit)$/;
const elsewhere = anyKnownKeys();

/** Keys of a record that our own operation does not declare. */
function undeclaredKeys(id: PlantOperation, record: Record<string, unknown>): string[] {
  const { schema } = operations[id].response;
  const declared = (schema.items ?? schema).properties ?? {};
  return Object.keys(record)
    .filter((key) => !Object.hasOwn(declared, key))
    .map((key) => `${key} is not declared`);
}

/** Keys of a record that clients do not know, or know of another type. */
function strangeKeys(id: PlantOperation, record: Record<string, unknown>): string[] {
  if (id.startsWith('performance/')) return undeclaredKeys(id, record);
  const known = knownKeys(id);
  return Object.entries(record).flatMap(([key, value]) => {
    const type = typeOf(value);
    const expected = known.get(key);
    if (expected !== undefined)
      return expected === type ? [] : [`${key} is ${type}, known as ${expected}`];
    const fits =
      elsewhere.has(`${key}: ${type}`) ||
      (type === 'string' && SIBLING.test(key) && key.replace(SIBLING, '') in record);
    return fits ? [] : [`${key} (${type}) is known nowhere`];
  });
}

function containerOf(data: any): Container {
  if (data === null) return 'nothing';
  if (typeof data === 'string') return 'id as text';
  if (Array.isArray(data)) return 'rows';
  if ('data_timestamp' in data) return 'parallel arrays';
  if ('page' in data) return Object.keys(data).length === 1 ? 'page alone' : 'listing';
  if ('records' in data) return 'page';
  return Object.keys(data).length === 1 && 'id' in data ? 'id' : 'record';
}

const ID = /^\d{19}$/;

function expectShape(id: PlantOperation, data: any): void {
  const { container, counters } = rows[id];
  expect([id, containerOf(data)]).toEqual([id, container]);
  const page = data?.page ?? data;
  if (container === 'page' || container === 'listing' || container === 'page alone') {
    const { records, ...place } = page;
    expect([id, place]).toEqual([
      id,
      {
        total: records.length,
        size: 20,
        current: 1,
        orders: [],
        optimizeCountSql: true,
        searchCount: true,
        pages: 1,
      },
    ]);
  }
  if (counters) {
    const { [counters[0]]: counts, page: _, ...rest } = data;
    expect([id, rest]).toEqual([id, { mpptSwitch: 0 }]);
    expect([id, Object.keys(counts)]).toEqual([
      id,
      ['all', 'normal', 'fault', 'offline', ...counters[1]],
    ]);
    expect(Object.values(counts).every(Number.isInteger)).toBe(true);
    expect(counts.all).toBe(page.total);
  }
  if (container === 'id' || container === 'id as text')
    expect([id, data?.id ?? data]).toEqual([id, expect.stringMatching(ID)]);
  if (container === 'parallel arrays')
    for (const column of Object.values(data)) expect(['array', 'number']).toContain(typeOf(column));
  if (['record', 'rows', 'page', 'listing', 'page alone'].includes(container)) {
    const records = recordsOf(data);
    expect([id, records.length > 0]).toEqual([id, true]);
    for (const record of records) expect([id, strangeKeys(id, record)]).toEqual([id, []]);
  }
}

describeEngines('each operation', (database) => {
  const clock = settableClock(SCENE_NOW);
  const fleet = createFleet(database, clock);
  let interfaces: Interfaces;
  beforeAll(async () => {
    interfaces = await startInterfaces(database, clock, fleet);
  });
  afterAll(() => interfaces.close());

  const createPlace = async (): Promise<Place> => ({
    ...(await createRichScene(fleet)),
    free: (await fleet.device(null)).sn,
    freeCollector: (await fleet.device(null, { kind: 'collector' })).sn,
  });
  const signedBy = (owner: string): Promise<Ask> => interfaces.askAs({ key: {}, of: owner });

  describe('that reads', () => {
    let place: Place;
    let ways: readonly (readonly ['signed' | 'oauth', Ask])[];
    beforeAll(async () => {
      place = await createPlace();
      ways = [
        ['signed', await signedBy(place.owner)],
        ['oauth', await interfaces.askAs({ token: {}, of: place.owner })],
      ];
    });

    test.each(
      all.filter(({ write }) => !write).map((operation) => [operation.id, operation] as const),
    )('%s', async (id, operation) => {
      const { aliases = [] } = operation;
      const { alike, bad } = rows[id];
      const [first, ...others] = alike;
      const answers: unknown[] = [];
      for (const [way, ask] of ways.filter(([door]) => hasDoor(operation, door))) {
        const { status, body } = await ask(id, first(place));
        expect([way, status, body]).toMatchObject([
          way,
          200,
          { success: true, code: '0', msg: expect.any(String) },
        ]);
        expectShape(id, body.data);
        answers.push(body.data);
        for (const other of others)
          expect([way, other(place), (await ask(id, other(place))).body.data]).toEqual([
            way,
            other(place),
            body.data,
          ]);
        // Other spellings are the same operation.
        for (const alias of aliases)
          expect([way, alias, (await ask(alias as OperationId, first(place))).body.data]).toEqual([
            way,
            alias,
            body.data,
          ]);
        const [name, value] = bad;
        const refused = await ask(id, { ...first(place), [name]: value });
        expect([way, refused.status, refused.body]).toMatchObject([
          way,
          200,
          { success: false, code: 'H0001', data: { field: name } },
        ]);
      }
      // The twin of the OAuth interface tells the same.
      expect(answers.at(-1)).toEqual(answers[0]);
      expect(answers).toHaveLength(hasDoor(operation, 'oauth') ? 2 : 1);
    });
  });

  describe('that changes something', () => {
    /** What the owner sees afterwards, with things named in the order in which they appear. */
    const seenBy = async (ask: Ask): Promise<string> => {
      const answers: unknown[] = [];
      for (const id of ['userStationList', 'inverterList', 'collectorList'] as const)
        answers.push((await ask(id, {})).body.data.page.records);
      const names = new Map<string, string>();
      const nameOf = (given: string): string =>
        names.get(given) ?? (names.set(given, `#${names.size}`), names.get(given)!);
      return JSON.stringify(answers)
        .replaceAll(/"sno":"\d{8}"|"Plant \d+"/g, '')
        .replaceAll(/\d{19}|"SN[^"]*"/g, nameOf);
    };

    test.each(all.filter(({ write }) => write).map(({ id }) => id))('%s', async (id) => {
      const { alike, bad } = rows[id];
      const effects: string[] = [];
      for (const body of alike) {
        const place = await createPlace();
        const ask = await signedBy(place.owner);
        const before = await seenBy(ask);
        const [name, value] = bad;
        const refused = await ask(id, { ...body(place), [name]: value });
        expect([refused.status, refused.body]).toMatchObject([
          200,
          { success: false, code: 'H0001', data: { field: name } },
        ]);
        expect(await seenBy(ask)).toBe(before);
        const { status, body: answer } = await ask(id, body(place));
        expect([status, answer]).toMatchObject([200, { success: true, code: '0' }]);
        expectShape(id, answer.data);
        effects.push(await seenBy(ask));
        expect(effects.at(-1)).not.toBe(before);
      }
      for (const effect of effects) expect(effect).toBe(effects[0]);
    });
  });
});
