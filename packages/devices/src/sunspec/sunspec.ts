import { findProfile } from '../profiles/profiles.ts';
import type { Profile } from '../profiles/profile.ts';
import { decodeBlock } from '../registers/decode.ts';
import type { Identity, ReadWords } from '../registers/identify.ts';
import type { Gate, Place, RegisterMap, State } from '../registers/register-map.ts';
import { blocksOf, isFronius, METERS, PORTS, STANDARD, type Makings } from './compose.ts';
import { pointsOf } from './points.ts';
import { walkModels, type FoundModel } from './walk.ts';

const INVERTERS: ReadonlySet<number> = new Set([101, 102, 103, 111, 112, 113, 701]);
const PHASES: Readonly<Record<number, number>> = { 101: 1, 111: 1, 102: 2, 112: 2, 103: 3, 113: 3 };
/** DERTyp of a device with modules and a battery. */
const PV_AND_STORAGE = 82;

/** Recognizes a SunSpec device by its list of models, which may begin at one of the bases; null if it is none. Rejects as `read` does if it does not answer. */
export async function identifySunSpec(
  read: ReadWords,
  bases: readonly number[],
): Promise<Identity | null> {
  const models = await walkModels(read, bases);
  const common = models?.find(({ id }) => id === 1);
  if (!models || !common) return null;
  const hasInverter = models.some(({ id }) => INVERTERS.has(id));
  const hasMeter = models.some(({ id }) => METERS.has(id));
  if (!hasInverter && !hasMeter) return null;
  const facts = await factsOf(read, models);
  const maker = String(facts['1.Mn'] ?? '');
  const hasBattery = models.some(({ id }) => id === 124 || id === 713);
  const isHybrid = hasBattery || facts['120.DERTyp'] === PV_AND_STORAGE;
  const kind = hasInverter ? 'inverter' : 'ammeter';
  const registers = registersOf(
    models,
    { maker, hasInverter, isHybrid, ports: portsOf(facts) },
    kind,
  );
  const profile = profileOf(registers, models);
  const rated = facts['120.WRtg'] ?? facts['702.WMaxRtg'];
  const three = models.find(({ id }) => PHASES[id] !== undefined);
  return {
    profile,
    shift: 0,
    kind,
    maker,
    model: [maker, facts['1.Md']].filter((part) => typeof part === 'string').join(' '),
    sn: textOf(facts['1.SN']),
    modelCode: null,
    firmware: textOf(facts['1.Vr']),
    displayVersion: null,
    ratedPowerW: typeof rated === 'number' && rated > 0 ? rated : null,
    strings: null,
    phases: three ? PHASES[three.id]! : null,
  };
}

const PORTS_AT_MOST = 32;

/** What is at the ports of model 714. */
function portsOf(facts: Readonly<Record<string, string | number>>): number[] {
  return Array.from({ length: PORTS_AT_MOST }, (_, i) => {
    const type = facts[`${PORTS}.PrtTyp ${i + 1}`];
    return typeof type === 'number' ? type : Number.NaN;
  });
}

const textOf = (value: string | number | undefined): string | null =>
  typeof value === 'string' ? value : null;

/** What the models of identity and ratings say, by the names of their points. Of several devices in one list, the first counts. */
async function factsOf(
  read: ReadWords,
  models: readonly FoundModel[],
): Promise<Readonly<Record<string, string | number>>> {
  const facts: Record<string, string | number> = {};
  const blocks = blocksOf(
    [1, 120, 702, PORTS].flatMap((id) => models.find((model) => model.id === id) ?? []),
    { maker: '', hasInverter: false, isHybrid: false, ports: [] },
  );
  const map = { atMostW: AT_MOST_W } as RegisterMap;
  for (const block of blocks) {
    const words = await read(block.table, block.address, block.count);
    if (words === null) continue;
    for (const { register, value, dropped } of decodeBlock(map, block, words).all)
      if (value !== undefined && dropped === null) facts[register.name] = value;
  }
  return facts;
}

/** A power without a rating is at most this. */
const AT_MOST_W = 500_000;

function registersOf(
  models: readonly FoundModel[],
  makings: Makings,
  kind: RegisterMap['kind'],
): RegisterMap {
  return {
    maker: makings.maker,
    kind,
    model: 'SunSpec device',
    wordOrder: 'high',
    wordsAtMost: 125,
    atMostW: AT_MOST_W,
    identification: { shifts: [0], checks: [], facts: {} },
    blocks: blocksOf(models, makings),
    places: placesOf(models, makings.maker),
    clock: null,
    states: statesOf(models),
  };
}

function profileOf(registers: RegisterMap, models: readonly FoundModel[]): Profile {
  const id = models.some((model) => model.id === 124) ? 'sunspec-storage' : 'sunspec-inverter';
  if (registers.kind === 'ammeter')
    return {
      id: 'sunspec-meter',
      name: 'SunSpec meter',
      description: 'Meters that follow SunSpec.',
      models: [],
      bases: [],
      parameters: new Map(),
      registers,
    };
  const known = findProfile(id)!;
  return {
    ...known,
    parameters: new Map([...known.parameters].filter(([one]) => registers.places.has(one))),
    registers,
  };
}

/** Where the controls of the models are. The enabling switch is set last. */
function placesOf(models: readonly FoundModel[], maker: string): Map<string, Place> {
  const places = new Map<string, Place>();
  const isKostal = /^kostal/i.test(maker);
  const add = (
    parameter: string,
    model: number,
    name: string,
    {
      gate = null,
      as = 'number',
    }: { readonly gate?: string | null; readonly as?: 'number' | 'bits' },
  ): void => {
    const found = models.find(({ id }) => id === model);
    const at = (point: string | null): number | null => {
      const known = pointsOf(model).find((one) => one.name === point);
      return found && known ? found.address + known.offset : null;
    };
    const address = at(name);
    if (address === null || places.has(parameter)) return;
    const { scaleFactor, type } = pointsOf(model).find((one) => one.name === name)!;
    const switchedBy = at(gate);
    places.set(parameter, {
      table: 'holding',
      encoding:
        as === 'bits'
          ? { as, address }
          : {
              as,
              address,
              signed: type === 'int16',
              scale: 1,
              offset: 0,
              scaleFactor: at(scaleFactor),
            },
      // Kostal refuses function 16.
      writeFunction: isKostal ? 6 : 16,
      together: null,
      gate: switchedBy === null ? null : gateAt(switchedBy, maker),
      toggle: null,
      repeatMs: null,
      mirror: null,
      evidence: STANDARD,
    });
  };
  add('376', 123, 'WMaxLimPct', { gate: 'WMaxLim_Ena' });
  add('376', 704, 'WMaxLimPct', { gate: 'WMaxLimPctEna' });
  add('157', 124, 'MinRsvPct', {});
  add('90101', 124, 'StorCtl_Mod', { as: 'bits' });
  add('90102', 124, 'InWRte', {});
  add('90103', 124, 'OutWRte', {});
  return places;
}

/** Fronius takes a new limit only while the limit is off. */
const gateAt = (address: number, maker: string): Gate => ({
  address,
  on: 1,
  isLast: true,
  off: isFronius(maker) ? 0 : null,
});

const STATES = [
  'sleeping',
  'starting',
  'producing',
  'limited',
  'shutting down',
  'fault',
  'standby',
];

/** Model 701 counts from 0, the older ones from 1. */
function statesOf(models: readonly FoundModel[]): ReadonlyMap<number, State> {
  const first = models.find(({ id }) => INVERTERS.has(id))?.id === 701 ? 0 : 1;
  return new Map(
    ['off', ...STATES].map((name, i) => [
      i + first,
      { name, alarm: name === 'fault' ? { code: 'fault', level: 2, name } : null },
    ]),
  );
}
