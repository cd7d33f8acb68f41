import { readSourceMap } from '@helioport/devices/sources';
import {
  createHostClient,
  member,
  NotFound,
  numbersIn,
  textOf,
  type HostClient,
} from '../http/host-client.ts';
import { deviceAddressText, type HostAddress } from '../source-address.ts';
import {
  recognized,
  SourceFault,
  type Source,
  type SourceDevice,
  type SourceReading,
  type SourceSettings,
} from '../source.ts';

/** What is measured once for all inverters. */
interface House {
  readonly fields: ReadonlyMap<string, number>;
  /** The battery; undefined if there is none. */
  readonly storage: unknown;
}

const INVERTERS_AT_MOST = 20;
const METERS_AT_MOST = 10;
/** What the interface says of a number that it has not. */
const NO_SERIAL = new Set(['0', '16777215', '4294967295']);
/** The place of a meter: at the connection to the grid, rather than in the way to the loads. */
const AT_GRID = 0;
const GEN24 = 1;

/** Inverters by Fronius, with their meter and battery, over the Solar API. */
export function openFronius(address: HostAddress, { credentials }: SourceSettings): Source {
  const { parts } = readSourceMap('fronius');
  const name = deviceAddressText(address);
  const client = createHostClient({
    ...address,
    name,
    credentials,
    schemes: ['Digest SHA-256', 'Digest MD5'],
    closedRemedy: 'is this the address of the inverter or its Datamanager?',
  });
  const ask = createAsking(client, name);
  let base: string | undefined;
  let isFirstVersion = false;

  async function inverterOf(
    id: string,
    info: unknown,
    flows: unknown,
    house: House | undefined,
    signal: AbortSignal,
  ): Promise<SourceDevice> {
    const device = `Scope=Device&${isFirstVersion ? 'DeviceIndex' : 'DeviceId'}=${id}`;
    const path = `${base}GetInverterRealtimeData.cgi?${device}&DataCollection=`;
    const common = await ask(`${path}CommonInverterData`, signal);
    const phases = await ask(`${path}3PInverterData`, signal);
    const fields = new Map([
      ...unitedIn(common),
      ...unitedIn(phases),
      ...(house?.fields ?? []),
      ...numbersIn(house?.storage, 1, 'Storage'),
    ]);
    const soc = member(flows, id, 'SOC');
    if (typeof soc === 'number') fields.set('SOC', soc);
    const hasBattery =
      fields.has('SOC') || fields.has('Site.P_Akku') || house?.storage !== undefined;
    const type = member(info, 'DT');
    const sn = textOf(member(info, 'UniqueID'));
    return {
      sn: sn === undefined || NO_SERIAL.has(sn) ? null : sn,
      part: parts[hasBattery ? 'inverter with a battery' : 'inverter']!,
      model:
        type === GEN24
          ? 'Fronius GEN24'
          : `Fronius inverter, type ${typeof type === 'number' ? type : 'unknown'}`,
      fields,
    };
  }

  function meterOf(meter: unknown): SourceDevice | undefined {
    const fields = numbersIn(meter, 1);
    const place =
      fields.get('Meter_Location_Current') ?? fields.get('SMARTMETER_VALUE_LOCATION_U16');
    if (place !== AT_GRID) return undefined;
    const sn = textOf(member(meter, 'Details', 'Serial'));
    const model = textOf(member(meter, 'Details', 'Model')) ?? 'meter';
    return { sn: sn ?? null, part: parts['meter']!, model: `Fronius ${model}`, fields };
  }

  async function readAll(signal: AbortSignal): Promise<SourceReading> {
    const info = await ask(`${base}GetInverterInfo.cgi`, signal);
    const ids = entriesOf(info)
      .toSorted(([a], [b]) => Number(a) - Number(b))
      .slice(0, INVERTERS_AT_MOST);
    if (ids.length === 0)
      throw new SourceFault(`${name} names no inverter: they may be off, as at night`);
    const flow = await ask(`${base}GetPowerFlowRealtimeData.fcgi`, signal);
    const flows = member(flow, 'Inverters');
    const meters = await ask(`${base}GetMeterRealtimeData.cgi?Scope=System`, signal);
    const storages = await ask(`${base}GetStorageRealtimeData.cgi?Scope=System`, signal);
    const fields = siteFields(member(flow, 'Site'));
    // The modules are those of all inverters.
    if (ids.length > 1) fields.delete('Site.P_PV');
    const house: House = { fields, storage: member(storages, '0', 'Controller') };
    const devices: SourceDevice[] = [];
    for (const [i, [id, one]] of ids.entries())
      devices.push(await inverterOf(id, one, flows, i === 0 ? house : undefined, signal));
    const known = entriesOf(meters).slice(0, METERS_AT_MOST);
    return { devices: [...devices, ...known.flatMap(([, meter]) => meterOf(meter) ?? [])] };
  }

  return {
    counters: client.counters,
    release: client.release,
    async read(signal) {
      if (base === undefined) {
        const version = await client.get('/solar_api/GetAPIVersion.cgi', signal).catch(refuse);
        const path = member(version, 'BaseURL');
        if (typeof path !== 'string' || !/^\/[\w/]{1,40}\/$/.test(path)) throw noFronius();
        base = path;
        isFirstVersion = member(version, 'APIVersion') === 0;
      }
      return recognized(() => readAll(signal));
    },
  };

  function refuse(cause: Error): never {
    throw cause instanceof NotFound ? noFronius(cause) : cause;
  }

  function noFronius(cause?: Error): SourceFault {
    return new SourceFault(
      `${name} has no Solar API: on a GEN24, switch it on under Communication, Solar API`,
      { cause },
    );
  }
}

/** Asks for the data of an answer; undefined if the device has no such thing, or cannot say at present. */
function createAsking(client: HostClient, name: string) {
  /** Paths that the device does not know. */
  const unknown = new Set<string>();
  return async (path: string, signal: AbortSignal): Promise<unknown> => {
    if (unknown.has(path)) return undefined;
    let answer: unknown;
    try {
      answer = await client.get(path, signal);
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      unknown.add(path);
      return undefined;
    }
    const head = member(answer, 'Head', 'Status', 'Code');
    if (typeof head !== 'number') throw new SourceFault(`${name} answers ${path} in another form`);
    return head === 0 ? member(answer, 'Body', 'Data') : undefined;
  };
}

const entriesOf = (data: unknown): [string, unknown][] =>
  typeof data === 'object' && data !== null
    ? Object.entries(data).filter(([id, one]) => /^\d{1,3}$/.test(id) && typeof one === 'object')
    : [];

/** Values with their units: `PAC W`. At night, some are left out or null. */
function unitedIn(data: unknown): Map<string, number> {
  const fields = new Map<string, number>();
  if (typeof data !== 'object' || data === null) return fields;
  for (const [field, one] of Object.entries(data)) {
    const [value, unit] = [member(one, 'Value'), member(one, 'Unit')];
    if (typeof value === 'number' && Number.isFinite(value) && typeof unit === 'string')
      fields.set(`${field} ${unit}`, value);
  }
  return fields;
}

/** The powers of the house. Modules without light are null, which is none. */
function siteFields(site: unknown): Map<string, number> {
  const fields = numbersIn(site, 1, 'Site');
  if (member(site, 'P_PV') === null) fields.set('Site.P_PV', 0);
  return fields;
}
