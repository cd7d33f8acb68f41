import { isQuantity, quantities, type QuantityName } from '@helioport/contract/quantities';
import type { Block, Evidence, RegisterValue, WordType } from '../registers/register-map.ts';
import { eventsOf } from './events.ts';
import { pointsOf, type Point } from './points.ts';
import type { FoundModel } from './walk.ts';

/** What decides how the values of a device are meant, beside its models. */
export interface Makings {
  readonly maker: string;
  readonly hasInverter: boolean;
  /** Whether the energy of its AC side comes partly from a battery. */
  readonly isHybrid: boolean;
  /** What is at each port of model 714, in their order; 0 = modules. */
  readonly ports: readonly number[];
}

/** The most words of one request. */
const REQUEST_AT_MOST = 125;
/** The first two words of a model are its number and its length. */
const HEAD = 2;

const TYPES: { readonly [Type in Point['type']]: WordType } = {
  uint16: 'u16',
  int16: 's16',
  enum16: 'u16',
  bitfield16: 'u16',
  count: 'u16',
  type: 'u16',
  sunssf: 's16',
  uint32: 'u32',
  int32: 's32',
  acc32: 'u32',
  bitfield32: 'u32',
  float32: 'float32',
  uint64: 'u64',
  acc64: 'u64',
  string: 'text',
};

/** What a code or a bit field shows that is not implemented. */
const NOT_IMPLEMENTED: { readonly [Type in Point['type']]?: number } = {
  enum16: 0xffff,
  bitfield16: 0xffff,
  bitfield32: 0xffff_ffff,
};

/** A standard by which the device itself lists its models needs no second table. */
export const STANDARD: Evidence = { sources: ['sunspec'], doubt: null, isConfirmed: true };

/** With whole numbers, and with floating-point ones. */
export const METERS: ReadonlySet<number> = new Set([201, 202, 203, 204, 211, 212, 213, 214]);
/** How often a model is worth asking for. */
const SLOW: ReadonlySet<number> = new Set([122, 123, 704]);
/** Ratings are read once; curves and trips are nobody's business here. */
const DAILY: ReadonlySet<number> = new Set([1, 120, 121, 702]);

/** A block for each model whose points are known, all of whose words come from one request. */
export function blocksOf(models: readonly FoundModel[], makings: Makings): Block[] {
  const seen = new Set<string>();
  return models.flatMap((model) => {
    const points = [...pointsOf(model.id), ...repeatedPoints(model)];
    const count = Math.min(model.length + HEAD, REQUEST_AT_MOST);
    const values = points
      .filter(({ type, offset, words }) => type !== 'sunssf' && offset + words <= count)
      .map((point) => valueOf(point, model, points, makings, seen));
    if (values.length === 0) return [];
    return [
      {
        name: `model ${model.id}`,
        table: 'holding' as const,
        address: model.address,
        count,
        every: DAILY.has(model.id) ? 'daily' : SLOW.has(model.id) ? 'slow' : 'fast',
        values: [...values, ...ofStorage(model, points, makings, seen)],
      },
    ];
  });
}

/** The points of the repetitions, each with its number; they last as long as the model does. */
function repeatedPoints({ id, length }: Pick<FoundModel, 'id' | 'length'>): Point[] {
  const points = pointsOf(id, 'repeated');
  if (points.length === 0) return [];
  const [first, last] = [points[0]!, points.at(-1)!];
  const size = last.offset + last.words - first.offset;
  const times = Math.floor((length + HEAD - first.offset) / size);
  return Array.from({ length: times }, (_, i) =>
    points.map((point) => ({
      ...point,
      name: `${point.name} ${i + 1}`,
      offset: point.offset + i * size,
      quantity: point.quantity?.replace('{n}', String(i + 1)) ?? null,
    })),
  ).flat();
}

function valueOf(
  point: Point,
  model: FoundModel,
  points: readonly Point[],
  makings: Makings,
  seen: Set<string>,
): RegisterValue {
  const quantity = quantityOf(point, model.id, makings);
  const factor = points.find(({ name }) => name === point.scaleFactor);
  const base: string = quantity ?? `${model.id}.${point.name}`;
  const id = seen.has(base) ? `${base}@${model.address + point.offset}` : base;
  seen.add(base);
  return {
    id,
    quantity,
    name: `${model.id}.${point.name}`,
    unit: quantity === null ? point.unit : quantities.get(quantity)!.unit,
    words: Array.from({ length: point.words }, (_, i) => model.address + point.offset + i),
    type: TYPES[point.type],
    scale: scaleOf(point, model.id, quantity, makings),
    offset: 0,
    direction: null,
    high: null,
    plus: [],
    minus: [],
    scaleFactor: factor ? model.address + factor.offset : null,
    bounds: null,
    sentinels: [NOT_IMPLEMENTED[point.type]].filter((raw) => raw !== undefined),
    zeroIsNothing: point.type.startsWith('acc'),
    phases: null,
    sureUpToW: null,
    alarms: eventsOf(point, model.id),
    namedBy: STANDARD.sources,
    evidence: evidenceOf(quantity, model.id, makings),
  };
}

/** The model whose ports can be anything: modules, a battery, a car. */
export const PORTS = 714;
const MODULES = 0;

/** Ports with modules are the inputs of strings, numbered apart from others; the standard does not say which way the power of a battery is positive. */
function ofPort(quantity: string | null, name: string, ports: readonly number[]): string | null {
  const number = Number(name.split(' ')[1] ?? 0);
  if (quantity === null || number === 0) return quantity;
  if (ports[number - 1] !== MODULES) return null;
  const input = ports.slice(0, number).filter((kind) => kind === MODULES).length;
  return quantity.replace(/\d+/, String(input));
}

/** Of a meter that belongs to an inverter, only what the inverter does not measure itself. */
const OF_METERS: ReadonlySet<string> = new Set([
  'gridPowerW',
  'gridImportTotalKwh',
  'gridExportTotalKwh',
]);

function quantityOf(
  { name, quantity: known }: Point,
  model: number,
  { hasInverter, isHybrid, ports }: Makings,
): QuantityName | null {
  const quantity = model === PORTS ? ofPort(known, name, ports) : known;
  if (quantity === null || !isQuantity(quantity)) return null;
  if (METERS.has(model) && hasInverter && !OF_METERS.has(quantity)) return null;
  // Its voltages and currents are those of the battery's two directions.
  if (model === 160 && isHybrid && /[34](V|A|W)$/.test(quantity)) return null;
  return quantity;
}

function scaleOf(
  { unit }: Point,
  model: number,
  quantity: QuantityName | null,
  { maker }: Makings,
): number {
  if (quantity !== null && unit === 'Wh') return 0.001;
  if (quantity === 'powerFactor' && unit === 'Pct') return 0.01;
  // Positive when power is bought, except by SolarEdge.
  if (isSigned(quantity, model)) return isSolarEdge(maker) ? 1 : -1;
  return 1;
}

/** The powers of a meter, whose direction depends on its maker. */
const isSigned = (quantity: QuantityName | null, model: number): boolean =>
  METERS.has(model) && quantity !== null && /^(gridPower|acPower\d)W$/.test(quantity);

const isSolarEdge = (maker: string): boolean => /^solaredge/i.test(maker);
export const isFronius = (maker: string): boolean => /^fronius/i.test(maker);

/** The standard says everything but which way a meter is mounted. */
function evidenceOf(quantity: QuantityName | null, model: number, makings: Makings): Evidence {
  const { maker, isHybrid } = makings;
  if (isSigned(quantity, model) && !isSolarEdge(maker) && !isFronius(maker))
    return { sources: ['sunspec'], doubt: 'makers differ in the sign', isConfirmed: false };
  if (isHybrid && (quantity === 'energyTotalKwh' || (quantity === 'dcPowerW' && model === PORTS)))
    return { sources: ['sunspec'], doubt: 'includes the battery', isConfirmed: false };
  return STANDARD;
}

/** Fronius hybrids: inputs 1 and 2 are the modules, 3 charges and 4 discharges the battery. */
function ofStorage(
  model: FoundModel,
  points: readonly Point[],
  { maker, isHybrid }: Makings,
  seen: Set<string>,
): RegisterValue[] {
  if (model.id !== 160 || !isHybrid || !isFronius(maker)) return [];
  const at = (name: string): number | undefined => {
    const point = points.find((one) => one.name === name);
    return point && model.address + point.offset;
  };
  const sum = (
    quantity: QuantityName,
    type: WordType,
    scale: number,
    factor: string,
    [first, ...plus]: readonly string[],
    minus: readonly string[] = [],
  ): RegisterValue[] => {
    const [from, scaleFactor] = [at(first!), at(factor)];
    const [more, less] = [plus, minus].map((names) => names.map(at));
    if (from === undefined || scaleFactor === undefined) return [];
    if ([...more!, ...less!].some((address) => address === undefined)) return [];
    const width = type === 'u32' ? 2 : 1;
    const id = seen.has(quantity) ? `${quantity}@${from}` : quantity;
    seen.add(quantity);
    return [
      {
        id,
        quantity,
        name: `160: ${[first, ...plus].join(' + ')}${minus.map((name) => ` - ${name}`).join('')}`,
        unit: quantities.get(quantity)!.unit,
        words: Array.from({ length: width }, (_, i) => from + i),
        type,
        scale,
        offset: 0,
        direction: null,
        high: null,
        plus: more as number[],
        minus: less as number[],
        scaleFactor,
        bounds: null,
        sentinels: [],
        zeroIsNothing: type === 'u32',
        phases: null,
        sureUpToW: null,
        alarms: null,
        namedBy: [],
        evidence: STANDARD,
      },
    ];
  };
  return [
    ...sum('batteryPowerW', 'u16', 1, 'DCW_SF', ['DCW 3'], ['DCW 4']),
    ...sum('energyTotalKwh', 'u32', 0.001, 'DCWH_SF', ['DCWH 1', 'DCWH 2']),
    ...sum('batteryChargeTotalKwh', 'u32', 0.001, 'DCWH_SF', ['DCWH 3']),
    ...sum('batteryDischargeTotalKwh', 'u32', 0.001, 'DCWH_SF', ['DCWH 4']),
  ];
}
