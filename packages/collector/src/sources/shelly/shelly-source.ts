import { readSourceMap, type SourcePart } from '@helioport/devices/sources';
import { createHostClient, member, numbersIn, textOf } from '../http/host-client.ts';
import { deviceAddressText, type HostAddress } from '../source-address.ts';
import {
  recognized,
  SourceFault,
  type Measures,
  type Source,
  type SourceDevice,
  type SourceReading,
  type SourceSettings,
} from '../source.ts';

/** What measures something in a device: its name in the data, its channel if it has several, and what it says. */
interface Meter {
  readonly stem: string;
  readonly channel: number | null;
  readonly values: unknown;
}

/** An energy meter or a plug by Shelly, over HTTP. */
export function openShelly(
  address: HostAddress,
  { credentials, measures }: SourceSettings,
): Source {
  const { parts } = readSourceMap('shelly');
  const name = deviceAddressText(address);
  const client = createHostClient({
    ...address,
    name,
    credentials,
    schemes: credentials?.isReadable ? ['Digest SHA-256', 'Basic'] : ['Digest SHA-256'],
    schemeRemedy:
      'if it is a Shelly of the first generation, which can do nothing else, and whoever is in the network may read it, ' +
      'write password-readable: true',
    closedRemedy: 'is this the address of the Shelly itself?',
  });

  function deviceOf(
    identity: unknown,
    { stem, channel, values }: Meter,
    role: Measures,
  ): SourceDevice | undefined {
    if (role === 'nothing') return undefined;
    const part: SourcePart | undefined = parts[role === 'grid' ? stem : `${stem} of production`];
    if (!part)
      throw new SourceFault(
        `${name}: a ${stem} measures what is plugged in: write measures: production, or nothing, for it`,
      );
    const mac = textOf(member(identity, 'mac'));
    const model = textOf(member(identity, 'model')) ?? textOf(member(identity, 'type')) ?? '';
    const firmware = textOf(member(identity, 'ver')) ?? textOf(member(identity, 'fw'));
    return {
      sn: mac === undefined ? null : channel === null ? mac : `${mac}-${channel}`,
      part,
      model: `Shelly ${model}`.trim(),
      ...(firmware !== undefined && { firmware: firmware.slice(0, 40) }),
      fields: numbersIn(values),
    };
  }

  async function readMeters(
    identity: unknown,
    generation: unknown,
    signal: AbortSignal,
  ): Promise<SourceReading> {
    const meters =
      typeof generation === 'number' && generation >= 2
        ? metersOf(await client.get('/rpc/Shelly.GetStatus', signal))
        : firstMetersOf(await client.get('/status', signal));
    const roles = measures ?? usualRoles(meters);
    if (meters.length === 0) throw new SourceFault(`${name} measures nothing`);
    if (!roles)
      throw new SourceFault(
        `${name} has ${meters.length === 1 ? 'one channel' : `${meters.length} channels`}: say what each measures, ` +
          `such as measures: [${meters.map((_, i) => (i === 0 ? 'grid' : 'production')).join(', ')}]; ` +
          'nothing leaves one out',
      );
    if (roles.length > meters.length)
      throw new SourceFault(`${name} has only ${meters.length} channels, and measures names more`);
    const devices = meters.flatMap(
      (meter, i) => deviceOf(identity, meter, roles[i] ?? 'nothing') ?? [],
    );
    return { devices };
  }

  return {
    counters: client.counters,
    release: client.release,
    async read(signal) {
      const identity = await client.get('/shelly', signal);
      const generation = member(identity, 'gen');
      if (generation === undefined && textOf(member(identity, 'type')) === undefined)
        throw new SourceFault(`${name} is no Shelly`);
      return recognized(() => readMeters(identity, generation, signal));
    },
  };
}

/** A meter of three phases is made for the connection to the grid. */
const usualRoles = ([first, ...others]: readonly Meter[]): readonly Measures[] | undefined =>
  first && others.length === 0 && first.channel === null ? ['grid'] : undefined;

/** Components with what they have counted, which is another component. */
const COMPONENTS = [
  ['em', 'emdata'],
  ['em1', 'em1data'],
  ['switch', undefined],
  ['pm1', undefined],
] as const;
const CHANNELS_AT_MOST = 4;

/** From the second generation on: one answer says everything of one moment. */
function metersOf(status: unknown): Meter[] {
  const meters = COMPONENTS.flatMap(([kind, data]) =>
    Array.from({ length: CHANNELS_AT_MOST }, (_, channel): Meter[] => {
      const values = member(status, `${kind}:${channel}`);
      // A switch need not measure.
      const isBare = kind === 'switch' && typeof member(values, 'apower') !== 'number';
      if (values === undefined || isBare) return [];
      const counted = data && member(status, `${data}:${channel}`);
      return [
        {
          stem: kind === 'pm1' ? 'switch' : kind,
          channel: kind === 'em' ? null : channel,
          values: { ...(values as object), ...(counted as object | undefined) },
        },
      ];
    }).flat(),
  );
  // Meters have a switch beside, for a contactor.
  const proper = meters.filter(({ stem }) => stem !== 'switch');
  return proper.length > 0 ? proper : meters;
}

/** The first generation: lists of meters, of which those with clamps are for energy. */
function firstMetersOf(status: unknown): Meter[] {
  const listOf = (name: string): readonly unknown[] => {
    const list = member(status, name);
    return Array.isArray(list)
      ? list.map((one: unknown) => (member(one, 'is_valid') === false ? {} : one))
      : [];
  };
  const clamps = listOf('emeters');
  if (clamps.length === 3) return [{ stem: 'emeters', channel: null, values: { ...clamps } }];
  if (clamps.length > 0)
    return clamps.map((values, channel) => ({ stem: 'emeter', channel, values }));
  return listOf('meters').map((values, channel) => ({ stem: 'meter', channel, values }));
}
