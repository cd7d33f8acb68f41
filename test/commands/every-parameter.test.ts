import { expect, test } from 'vitest';
import { profileOf } from '../../packages/server/src/devices/profiles/profiles.ts';
import type { Parameter } from '../../packages/server/src/devices/profiles/profile.ts';
import type { Instruction } from '../../packages/server/src/commands/instruction.ts';
import type { Home } from './scene.ts';
import { describeControl, type WireAnswer } from './wire.ts';

/** What a device has at first, what is written by two clients that spell it differently, and what it shows then. */
interface Sample {
  readonly before: string;
  readonly written: string;
  readonly respelt?: string;
  readonly shown: string;
}

function sampleOf({ id, form }: Parameter): Sample {
  switch (form.type) {
    case 'number': {
      const [low, next] = [form.min, form.min + form.step].map((value) => String(Math.round(value * form.scale * 1e6) / 1e6)) as [string, string];
      return { before: low, written: next, shown: next };
    }
    case 'choice': {
      const written = form.settable.at(-1)!;
      return { before: Object.keys(form.options).find((value) => value !== written) ?? written, written, shown: written };
    }
    // Self-use and charging from the grid, then with times of use as well.
    case 'bits':
      return { before: '33', written: '35', shown: '35' };
    case 'clock':
      return { before: '2026-06-15 11:00:00', written: '2026-06-15 14:00:00', shown: '2026-06-15 14:00:07' };
    case 'slot':
      return { before: '00:00-00:00', written: '01:00,05:30', respelt: '02:00-06:00', shown: '01:00-05:30' };
    case 'slots': {
      const shown = '20,55,00:00-06:00,18:00-21:30,0,0,12:00-16:00,00:00-00:00,0,0,00:00-00:00,00:00-00:00';
      const written = '20,55,00:00,06:00,18:00,21:30,0,0,12:00,16:00,00:00,00:00,0,0,00:00,00:00,00:00,00:00';
      return { before: shown.replace('20,55', '5,5'), written, respelt: shown.replace('20,55', '30,55'), shown };
    }
    case 'text':
      return { before: `state of ${id}`, written: '1', shown: `state of ${id}` };
  }
}

/** Devices that together have every parameter. */
const devices = [
  ['a storage inverter with six slots', 'SIM-8K-ES', '4b00'],
  ['a storage inverter with three slots', 'SIM-8K-ES', '4a00'],
  ['a storage inverter that counts export in hundreds of watts', '3105', '4b00'],
  ['a string inverter', 'SIM-8K', undefined],
] as const;

const parametersOf = (model: string, displayVersion: string | undefined): Parameter[] => {
  const version = Number.parseInt(displayVersion ?? '0', 16);
  const all = [...profileOf(model).parameters.values()];
  const there = all.filter(({ displayVersions: only }) => !only || (version >= (only.from ?? 0) && version < (only.before ?? Infinity)));
  // Only what differs from the first device.
  return displayVersion === '4a00' ? there.filter(({ form }) => form.type === 'slots') : model === '3105' ? there.filter(({ id }) => id === '499') : there;
};

test('every parameter of the existing interface is among those that are set or read', () => {
  const known = new Set(devices.flatMap(([, model, version]) => parametersOf(model, version).map(({ id }) => id)));
  const listed = `15 18 56 48 53 52 54 5161 5162 103 4643 4644 4692 5007 157 158 160 469 7229 7963 172 7224 7226 230 376 499 636 696 543 4754 6798 6962 6968
    5916 5917 5918 5919 5920 5921 5922 5923 5924 5925 5926 5927 5928 5929 5930 5931 5932 5933 5946 5949 5952 5955 5958 5961 5948 5951 5954 5957 5960 5963
    5964 5968 5972 5976 5980 5987 5965 5969 5973 5977 5981 5984 5967 5971 5975 5979 5983 5986`.split(/\s+/);
  expect(listed.filter((id) => !known.has(id))).toEqual([]);
});

const AT_ONCE = 5;
/** Long enough on a busy machine. */
const PATIENCE_MS = 60_000;

describeControl(
  'every parameter',
  (wire) => {
    /** A home whose inverter has these parameters and shows them as real ones do. */
    const stocked = async (model: string, displayVersion: string | undefined, parameters: readonly Parameter[]): Promise<Home> => {
      const here = await wire.home({ model, facts: displayVersion === undefined ? {} : { displayVersion } });
      const samples = new Map(parameters.map((parameter) => [parameter.id, sampleOf(parameter)]));
      for (const [id, { before }] of samples) here.box.values[id] = before;
      const carryOut = (instruction: Instruction): object => {
        const { id, action, parameter } = instruction;
        const done = here.box.carryOut(instruction);
        const { before, shown } = samples.get(parameter)!;
        const isClock = parameters.find((one) => one.id === parameter)!.form.type === 'clock';
        return action === 'read' && isClock && here.box.values[parameter] !== before ? { id, ok: true, value: shown, raw: shown } : done;
      };
      return { ...here, box: { ...here.box, carryOut } };
    };

    type Ask = (id: 'control' | 'atReadBatch', body: Record<string, unknown>) => Promise<WireAnswer>;

    const readAll = async (ask: Ask, sn: string, parameters: readonly Parameter[]): Promise<Record<string, string>> => {
      const values: Record<string, string> = {};
      for (let from = 0; from < parameters.length; from += 50) {
        const cids = parameters.slice(from, from + 50).map(({ id }) => id);
        const [items] = (await ask('atReadBatch', { inverterSn: sn, cids: cids.join(',') })).body.data as [{ cid: string; msg: string }[]];
        for (const { cid, msg } of items) values[cid] = msg;
      }
      return values;
    };

    async function walk(ask: Ask, here: Home, parameters: readonly Parameter[]): Promise<void> {
      const { sn, box, deviceId } = here;
      const before = Object.fromEntries(parameters.map((one) => [one.id, sampleOf(one).before]));
      expect(await readAll(ask, sn, parameters)).toEqual(before);
      const writes: [string, string][] = [];
      for (const parameter of parameters) {
        const { id: cid, access, oldValueRequired } = parameter;
        const { written, respelt, shown } = sampleOf(parameter);
        const old = oldValueRequired ? { yuanzhi: before[cid] } : {};
        const { body } = await ask('control', { inverterSn: sn, cid, value: written, ...old });
        if (access === 'read') {
          expect([cid, body.code, body.data.field]).toEqual([cid, 'H0001', 'cid']);
          continue;
        }
        expect([cid, body.code, body.data]).toMatchObject([cid, '0', [{ code: 0, sn }]]);
        writes.push([cid, parameter.form.type === 'clock' ? written : shown]);
        if (respelt === undefined) continue;
        expect([cid, (await ask('control', { inverterSn: sn, cid, value: respelt })).body.data]).toMatchObject([cid, [{ code: 0 }]]);
        writes.push([cid, respelt]);
      }
      const after = await readAll(ask, sn, parameters);
      for (const parameter of parameters) {
        const { respelt, shown } = sampleOf(parameter);
        expect([parameter.id, after[parameter.id]]).toEqual([parameter.id, parameter.access === 'read' ? before[parameter.id] : (respelt ?? shown)]);
      }
      // Once each, and every one was read back.
      expect(box.writes).toEqual(writes);
      const states = await wire.database().db.selectFrom('command').select('state').distinct().where('deviceId', '=', deviceId).execute();
      expect(states).toEqual([{ state: 'verified' }]);
    }

    test.each(devices)('of %s is written and read back, or read, by both methods (C11)', { timeout: 120_000 }, async (_, model, displayVersion) => {
      const all = parametersOf(model, displayVersion);
      // Several inverters at a time, each with some of the parameters.
      const shares = Array.from({ length: AT_ONCE }, (_each, i) => all.filter((_one, n) => n % AT_ONCE === i)).filter(({ length }) => length > 0);
      await Promise.all(
        shares.flatMap((parameters) => [
          (async () => {
            const here = await stocked(model, displayVersion, parameters);
            await wire.whileObeying(here, () => walk((id, body) => wire.callAs(here.ownerId, id, body), here, parameters));
          })(),
          (async () => {
            const here = await stocked(model, displayVersion, parameters);
            const { access_token: token } = await wire.pair(here.ownerId);
            await wire.whileObeying(here, () => walk((id, body) => wire.bear(token, id, body), here, parameters));
          })(),
        ]),
      );
    });
  },
  PATIENCE_MS,
);
