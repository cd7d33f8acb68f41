import { errors, hasDoor, operations, readRequest, type Operation } from '@helioport/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startInterfaces, type Answer, type Interfaces } from './access/requesters.ts';
import { periodOf, wireNamesOf } from './access/questions.ts';
import { createFleet } from './operations/fleet.ts';
import { createScene, questions, SCENE_NOW, type QueryId, type Scene } from './operations/scene.ts';
import { rows, type Place } from './operations/rows.ts';
import { effort, proving } from './support/effort.ts';
import { describeEngines } from './support/engines.ts';
import { everythingStored } from './support/stored.ts';
import { settableClock } from './support/world.ts';
import { plantOperations } from './operations/plant-operations.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const many = Array.from({ length: 1001 }, (_, i) => `SN${i}`);

/** What nobody means, as JSON: some of it is a value of some parameters all the same. */
const values: readonly string[] = [
  [
    'null',
    'true',
    'false',
    '[]',
    '{}',
    '[null]',
    '[[]]',
    '[{}]',
    '[true]',
    '{"$gt":""}',
    '{"__proto__":{"id":1}}',
    '{"toString":1}',
    nested(2000),
  ],
  [
    '0',
    '-0',
    '-1',
    '101',
    '0.1',
    '91',
    '-90.0001',
    '1e400',
    '-1e400',
    '1e-400',
    '5e-324',
    '1.7976931348623157e308',
  ],
  ['9007199254740993', '-9007199254740993', '123456789012345678901234567890', '9'.repeat(400)],
  [
    '""',
    '"   "',
    '"abc"',
    '"-1"',
    '"1.5"',
    '"0x10"',
    '"NaN"',
    '"Infinity"',
    '"1e3"',
    '"１２"',
    '"1,1"',
    '",,,"',
    '"1 2"',
    '"true"',
  ],
  [
    '"2026-13"',
    '"2026-13-01"',
    '"2026-02-30"',
    '"2023-5-26"',
    '"2023 05"',
    '"0000"',
    '"0000-00-00"',
    '"9999"',
    '"9999-12-31"',
    '"2026-01-01T00:00:00Z"',
  ],
  ['"Mars/Olympus"', '"+01:00"', '"EURO"', '"€"', '"nobody@example.com"', '"not an address"'],
  [
    '"\\u0000"',
    '"a\\u0000b"',
    '"a\\nb"',
    '"\\u0085"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\ufffe"',
    '"\\u202eسقف\\u202c"',
    '"👨‍👩‍👧‍👦"',
    '"e\\u0301"',
  ],
  [
    '"\' or 1=1 --"',
    '"%"',
    '"_"',
    '"\\\\"',
    '"<script>"',
    '"${x}"',
    '"__proto__"',
    '"constructor"',
  ],
  [
    JSON.stringify('x'.repeat(1000)),
    JSON.stringify('😀'.repeat(10_000)),
    JSON.stringify(many),
    JSON.stringify(many.join(',')),
  ],
].flat();

let met = 0;
/** All of them in a long proof; in a brief run each parameter meets some, and each value some parameter. */
const someValues = (share: number): readonly string[] =>
  values.filter(() => proving || met++ % share === 0);
const QUERIED = { SQLite: 11, PostgreSQL: 31 };
// What is taken is stored, and all that is stored compared.
const WRITTEN = { SQLite: 31, PostgreSQL: 61 };

/** A request as JSON in which one parameter is sent as it stands, under this name alone. */
function bodyOf(
  { request }: Pick<Operation, 'request'>,
  body: Readonly<Record<string, unknown>>,
  name: string,
  json: string,
): string {
  const parameter = Object.values(request).find(({ names }) =>
    (names as readonly string[]).includes(name),
  )!;
  // An inverter and a collector exclude one another.
  const replaced: readonly string[] =
    name === 'collectorSn' ? [name, 'inverterSn'] : parameter.names;
  const members = Object.entries(body).flatMap(([key, value]) =>
    replaced.includes(key) ? [] : [`${JSON.stringify(key)}:${JSON.stringify(value)}`],
  );
  return `{${[...members, `${JSON.stringify(name)}:${json}`].join(',')}}`;
}

const codes: ReadonlyMap<string, string> = new Map(
  Object.entries(errors).map(([name, { code }]) => [name, code]),
);

describeEngines('whatever a parameter is sent', (database, engine) => {
  const clock = settableClock(SCENE_NOW);
  const fleet = createFleet(database, clock);
  let interfaces: Interfaces;
  let scene: Scene;
  beforeAll(async () => {
    interfaces = await startInterfaces(database, clock, fleet);
    scene = await createScene(fleet);
  });
  afterAll(() => interfaces.close());

  /** The form of every answer, and that what is refused is named. */
  const expectClear = (
    operation: Operation,
    name: string,
    json: string,
    { status, body }: Answer,
  ): void => {
    const asked = { id: operation.id, name, json: json.slice(0, 100) };
    const { code, data } = body;
    const declared = ['0', ...operation.errors.map((error) => codes.get(error)!)];
    expect({ ...asked, status, code, isDeclared: declared.includes(code) }).toEqual({
      ...asked,
      status: 200,
      code,
      isDeclared: true,
    });
    expect(body).toMatchObject({ success: code === '0', msg: expect.any(String) });
    const own = Object.values(operation.request).find(({ names }) =>
      (names as readonly string[]).includes(name),
    )!.names[0];
    if (code === errors.invalidValue.code)
      expect({ ...asked, ...data }).toEqual({
        ...asked,
        field: own,
        expected: expect.stringMatching(/./),
      });
    if (code === errors.missingParameter.code) expect(data.field).toEqual(expect.any(String));
  };

  const reading = (Object.keys(questions) as QueryId[]).map(
    (id) => operations[id] as unknown as Operation & { id: QueryId },
  );

  describe.each(['signed', 'authorized'] as const)('a query that is %s', (way) => {
    test.each(
      reading
        .filter((operation) => hasDoor(operation, way === 'signed' ? 'signed' : 'oauth'))
        .map((operation) => [operation.id, operation] as const),
    )('%s is answered clearly', { timeout: effort(120_000, 600_000) }, async (id, operation) => {
      const ask = await interfaces.askAs(
        way === 'signed' ? { key: {}, of: scene.owner } : { token: {}, of: scene.owner },
      );
      const base = questions[id].find((question) => Object.keys(question(scene)).length > 0)!(
        scene,
      );
      const body = { ...periodOf(id), ...base };
      for (const name of wireNamesOf(operation)) {
        for (const json of someValues(QUERIED[engine]))
          expectClear(operation, name, json, await ask(id, bodyOf(operation, body, name, json)));
      }
    });
  });

  const place = async (): Promise<Place> => ({
    ...(await createScene(fleet)),
    free: (await fleet.device(null)).sn,
    freeCollector: (await fleet.device(null, { kind: 'collector' })).sn,
  });
  const writing = plantOperations.filter(({ write }) => write);

  test.each(writing.map((operation) => [operation.id, operation] as const))(
    'a change by %s is answered clearly, and nothing is stored of what is refused',
    { timeout: effort(300_000, 3_600_000) },
    async (id, operation) => {
      let here = await place();
      let ask = await interfaces.askAs({ key: {}, of: here.owner });
      const send = async (name: string, json: string): Promise<Answer> => {
        clock.at += 1000;
        const answer = await ask(id, bodyOf(operation, rows[id].alike[0](here), name, json));
        expectClear(operation, name, json, answer);
        return answer;
      };
      type Sent = readonly [name: string, json: string];
      const all = wireNamesOf(operation).flatMap((name) =>
        someValues(WRITTEN[engine]).map((json): Sent => [name, json]),
      );
      const isFault = ([name, json]: Sent): boolean =>
        'fault' in
        readRequest(
          operation,
          JSON.parse(bodyOf(operation, rows[id].alike[0](here), name, json)) as Record<
            string,
            unknown
          >,
        );
      let before = await everythingStored(database());
      for (const [name, json] of all.filter(isFault))
        expect((await send(name, json)).body.code).not.toBe('0');
      expect(await everythingStored(database())).toEqual(before);
      /** What the contract takes is for the database to refuse, or to take; says which. */
      const isCarriedOut = async ([name, json]: Sent): Promise<boolean> => {
        if ((await send(name, json)).body.code !== '0') {
          expect([name, json.slice(0, 100), await everythingStored(database())]).toEqual([
            name,
            json.slice(0, 100),
            before,
          ]);
          return false;
        }
        // What was taken can be read.
        for (const list of ['userStationList', 'stationDetailList', 'inverterList'] as const)
          expect([name, json, (await ask(list, {})).body.code]).toEqual([name, json, '0']);
        here = await place();
        ask = await interfaces.askAs({ key: {}, of: here.owner });
        before = await everythingStored(database());
        return true;
      };
      let carriedOut = 0;
      for (const sent of all.filter((each) => !isFault(each)))
        if (await isCarriedOut(sent)) carriedOut += 1;
      // Where what a brief run met was refused, the others are tried until one is taken.
      const others =
        Object.keys(operation.request).length > 3
          ? wireNamesOf(operation).flatMap((name) => values.map((json): Sent => [name, json]))
          : [];
      for (const sent of others.filter((each) => !isFault(each)))
        if (carriedOut === 0 && (await isCarriedOut(sent))) carriedOut += 1;
      if (others.length > 0) expect(carriedOut).toBeGreaterThan(0);
      // Nothing but what is strange is the reason of a refusal.
      const [name, value] = Object.entries(rows[id].alike[0](here))[0]!;
      expect([id, await isCarriedOut([name, JSON.stringify(value)])]).toEqual([id, true]);
    },
  );

  test('of a key that is sent twice the last one counts, for what is asked as for what may be seen', async () => {
    const stranger = await createScene(fleet);
    const ask = await interfaces.askAs({ key: {}, of: scene.owner });
    const twice = (first: string, second: string): string => `{"id":"${first}","id":"${second}"}`;
    expect((await ask('stationDetail', twice(stranger.plantId, scene.plantId))).body.data.id).toBe(
      scene.plantId,
    );
    expect((await ask('stationDetail', twice(scene.plantId, stranger.plantId))).body).toMatchObject(
      { code: 'R0000', data: null },
    );
  });

  test('keys that every object has are no parameters', async () => {
    const ask = await interfaces.askAs({ key: {}, of: scene.owner });
    for (const json of [
      `{"__proto__":{"id":"${scene.plantId}"}}`,
      `{"constructor":{"id":1}}`,
      `{"prototype":1,"hasOwnProperty":0}`,
    ]) {
      expect((await ask('stationDetail', json)).body).toMatchObject({
        code: 'I0000',
        data: { field: 'id' },
      });
      expect((await ask('userStationList', json)).body.code).toBe('0');
    }
    expect(({} as { id?: unknown }).id).toBeUndefined();
  });

  test.each([
    ['an array', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['brackets without end', '['.repeat(100_000)],
    ['a comma too many', '{"pageNo":1,}'],
    ['a lone brace', '{'],
    ['two objects', '{}{}'],
    ['NaN', '{"pageNo":NaN}'],
    ['single quotes', "{'pageNo':1}"],
  ])('a body that is %s is a malformed request', async (_, json) => {
    const asks = [
      await interfaces.askAs({ key: {}, of: scene.owner }),
      await interfaces.askAs({ token: {}, of: scene.owner }),
    ];
    for (const ask of asks)
      expect(await ask('userStationList', json)).toMatchObject({
        status: 400,
        body: { success: false, code: '400', data: null },
      });
  });
});
