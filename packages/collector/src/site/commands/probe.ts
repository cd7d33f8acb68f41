import { isWritable, parameterText, spansOf, type DecodedValue } from '@helioport/devices';
import { AddressFault, addressText } from '../../bus/address.ts';
import { isSource, parseDeviceAddress, type DeviceAddress } from '../../sources/source-address.ts';
import { createHoles } from '../../bus/blocks.ts';
import { wrongSign, wrongSignText } from '../device/balance.ts';
import { createBusPool } from '../device/bus-pool.ts';
import { contextOf, readDecoded } from '../device/poll.ts';
import { NotReached, reach, type ReachedDevice } from '../device/reach.ts';
import { readSpans } from '../device/registers.ts';
import { askSerial } from '../find/hello.ts';
import { CommandFault, UsageFault, type CommandContext } from './surroundings.ts';
import { doubtText } from './doubt-text.ts';
import { factLines, table } from './table.ts';
import { watch } from './watch.ts';

/** One value of a device, with where it comes from. */
interface ProbedValue {
  readonly block: string;
  readonly table: string;
  readonly registers: readonly number[];
  readonly id: string;
  readonly raw: number | string | null;
  readonly value: number | string | null;
  readonly unit: string;
  readonly quantity: string | null;
  readonly sources: readonly string[];
  /** Why it is not reported, or not sure. */
  readonly doubt: string | null;
}

interface ProbedParameter {
  readonly id: string;
  readonly name: string;
  readonly value: string | null;
  readonly writable: boolean;
  readonly doubt: string | null;
}

/** `collect probe ADDRESS`: shows what a device says, and how it is understood. */
export async function probeCommand(context: CommandContext): Promise<void> {
  const named = addressOf(context);
  if (isSource(named)) return (await import('./probe-source.ts')).probeSource(named, context);
  await withDevice(context, (device) =>
    watch(context, async () => {
      const values = await valuesOf(device, context);
      const parameters = await parametersOf(device);
      const balance = balanceOf(values);
      const { identity, address, unit } = device;
      const { maker, model, sn, modelCode, firmware, ratedPowerW, strings, profile } = identity;
      const facts = {
        address: addressText(address),
        unit,
        maker,
        model,
        sn,
        modelCode,
        firmware,
        ratedPowerW,
        strings,
        balance,
      };
      context.print({ ...facts, family: profile.id, values, parameters }, () =>
        [
          factLines(facts),
          '',
          table(
            ['registers', 'raw', 'value', 'unit', 'quantity', 'sources', 'doubt'],
            values.map((one) => [
              `${one.table} ${one.registers.join(',')}`,
              one.raw,
              one.value,
              one.unit,
              one.quantity ?? `(${one.id})`,
              one.sources.join(' '),
              one.doubt,
            ]),
          ),
          '',
          table(
            ['parameter', 'name', 'value', 'writable', 'doubt'],
            parameters.map((one) => [
              one.id,
              one.name,
              one.value,
              one.writable ? 'yes' : 'no',
              one.doubt,
            ]),
          ),
        ].join('\n'),
      );
    }),
  );
}

/** Reaches the device that the first word names, and closes its connection in the end. */
export async function withDevice(
  context: CommandContext,
  use: (device: ReachedDevice) => Promise<void>,
): Promise<void> {
  const address = addressOf(context);
  if (isSource(address))
    throw new UsageFault(`${address.kind} has no registers: probe --json shows all it says`);
  const { clock, pause, random, options } = context;
  const pool = createBusPool({ clock, pause, random });
  try {
    const device = await reach(address, unitOf(options['unit']), {
      pool,
      askSerial: (host) => askSerial(host, pause),
      pause,
    });
    await use(device);
  } catch (error) {
    if (error instanceof NotReached) throw new CommandFault(error.message, { cause: error });
    throw error;
  } finally {
    pool.close();
  }
}

function addressOf({ words }: CommandContext): DeviceAddress {
  const [text, ...more] = words;
  if (text === undefined || more.length > 0)
    throw new UsageFault('name one address, such as 192.168.1.40');
  try {
    return parseDeviceAddress(text);
  } catch (error) {
    if (error instanceof AddressFault) throw new UsageFault(error.message);
    throw error;
  }
}

function unitOf(given: string | boolean | undefined): number | undefined {
  if (given === undefined) return undefined;
  const unit = Number(given);
  if (typeof given === 'string' && /^\d{1,3}$/.test(given) && unit <= 247) return unit;
  throw new UsageFault('--unit is a whole number from 0 to 247');
}

async function valuesOf(device: ReachedDevice, { clock }: CommandContext): Promise<ProbedValue[]> {
  const map = device.identity.profile.registers!;
  const values: ProbedValue[] = [];
  const holes = createHoles(clock);
  for (const block of map.blocks) {
    const context = contextOf(device, new Set());
    const { all } = await readDecoded(device, map, block, holes, context);
    values.push(...all.map((one) => probed(block.name, block.table, one)));
  }
  return values;
}

/** Whether production, grid, battery and loads of one moment fit; null if that is unknown. */
function balanceOf(values: readonly ProbedValue[]): string | null {
  const measured: Record<string, number> = {};
  for (const { quantity, value } of values)
    if (quantity !== null && typeof value === 'number') measured[quantity] ??= value;
  const wrong = wrongSign(measured);
  if (wrong === undefined) return null;
  return wrong === null ? 'production, grid, battery and loads fit' : wrongSignText(wrong);
}

function probed(
  block: string,
  from: string,
  { register, raw, value, dropped }: DecodedValue,
): ProbedValue {
  const { id, words, unit, quantity, evidence } = register;
  return {
    block,
    table: from,
    registers: words,
    id,
    raw: raw ?? null,
    value: value ?? null,
    unit,
    quantity,
    sources: evidence.sources,
    doubt: doubtText(dropped, evidence),
  };
}

async function parametersOf({ bus, unit, identity }: ReachedDevice): Promise<ProbedParameter[]> {
  const { profile } = identity;
  const shown: ProbedParameter[] = [];
  for (const [id, { evidence }] of profile.registers!.places) {
    const spans = spansOf(profile, id) ?? [];
    const value = await bus
      .hold((line) => readSpans(line, unit, spans), 'poll')
      .then((at) => parameterText(profile, id, at) ?? null)
      .catch(() => null);
    const name = profile.parameters.get(id)?.name ?? id;
    shown.push({ id, name, value, writable: isWritable(profile, id), doubt: evidence.doubt });
  }
  return shown;
}
