import { clockMs, clockText } from './clock-text.ts';
import type { DeviceParameter } from './parameter.ts';
import { CHARGE, DISCHARGE } from './slot-parameters.ts';
import { simulatedSlotsText, simulatedSlotText } from './slot-text.ts';

/** The registers of a device: settings that are read and written by parameter. */
export interface Memory {
  /** The value that the device shows for a parameter, and the content of its registers. Throws RegisterFault. @param localMs its local time */
  read(id: string, localMs: number): { value: string; raw: string };
  /** Throws RegisterFault. */
  write(id: string, value: string, localMs: number): void;
  /** A setting; undefined if the device does not have it. The clock is not a setting. */
  get(id: string): string | undefined;
}

/** The device answers with a Modbus exception. */
export class RegisterFault extends Error {
  override readonly name = 'RegisterFault';
}

/** The cell that holds the switches of all slots, as bits of one number. */
const SLOT_SWITCHES = 'slot switches';
const EXPORT = 'export to the grid';
/** Content of the register for export when export is allowed, and the bit that blocks it. */
const EXPORT_ALLOWED = 80;
const EXPORT_BLOCKED_BIT = 8;
/** The parameter with three slots, which inverters with older displays have. */
const THREE_SLOTS = '103';
/** Parameters that show the first three slots. No public document says how they differ. */
const STATES_OF_SLOTS: ReadonlySet<string> = new Set(['4643', '4644', '4692', '5007']);

export interface MemoryOptions {
  readonly parameters: ReadonlyMap<string, DeviceParameter>;
  /** Version of the display's firmware; null = no parameter depends on it. */
  readonly displayVersion: number | null;
  /** Factory settings by parameter. */
  readonly initial: Readonly<Record<string, string>>;
}

export function createMemory({ parameters, displayVersion, initial }: MemoryOptions): Memory {
  /** Written values by cell. */
  const written = new Map<string, string>();
  let clockAheadMs = 0;
  const switches = [...parameters.values()]
    .filter(({ cell }) => cell === SLOT_SWITCHES)
    .map(({ id }) => id);

  function parameterOf(id: string): DeviceParameter {
    const parameter = parameters.get(id);
    if (!parameter || !isInFirmware(parameter, displayVersion))
      throw new RegisterFault('illegal data address');
    return parameter;
  }

  const stored = (parameter: DeviceParameter): string =>
    written.get(parameter.cell) ?? initialOf(parameter, initial);
  const mask = (): number => Number(written.get(SLOT_SWITCHES) ?? 0);
  const bitOf = (id: string): number => 2 ** switches.indexOf(id);

  function get(parameter: DeviceParameter): string {
    if (STATES_OF_SLOTS.has(parameter.id)) return stateOfSlots();
    return parameter.cell === SLOT_SWITCHES
      ? String(Number((mask() & bitOf(parameter.id)) !== 0))
      : stored(parameter);
  }

  function stateOfSlots(): string {
    const three = parameters.get(THREE_SLOTS);
    if (three && isInFirmware(three, displayVersion)) return stored(three);
    const shown = (id: number): string => {
      const parameter = parameters.get(String(id));
      return parameter ? get(parameter) : '0';
    };
    const numbers = [CHARGE.currents, DISCHARGE.currents, CHARGE.times, DISCHARGE.times];
    return [0, 1, 2].flatMap((slot) => numbers.map((ids) => shown(ids[slot]!))).join(',');
  }

  return {
    read(id, localMs) {
      const parameter = parameterOf(id);
      if (parameter.form.type === 'clock') {
        const text = clockText(localMs + clockAheadMs);
        return { value: text, raw: text };
      }
      const value = get(parameter);
      if (parameter.cell === SLOT_SWITCHES) return { value, raw: String(mask()) };
      if (parameter.cell === EXPORT)
        return {
          value,
          raw: String(value === '0' ? EXPORT_ALLOWED : EXPORT_ALLOWED | EXPORT_BLOCKED_BIT),
        };
      return { value, raw: value };
    },
    write(id, text, localMs) {
      const parameter = parameterOf(id);
      const value = parameter.access === 'write' ? acceptable(parameter, text) : undefined;
      if (value === undefined) throw new RegisterFault('illegal data value');
      if (parameter.form.type === 'clock') clockAheadMs = clockMs(value)! - localMs;
      else if (parameter.cell === SLOT_SWITCHES)
        written.set(
          SLOT_SWITCHES,
          String(value === '1' ? mask() | bitOf(id) : mask() & ~bitOf(id)),
        );
      else written.set(parameter.cell, value);
    },
    get(id) {
      const parameter = parameters.get(id);
      return parameter && isInFirmware(parameter, displayVersion) ? get(parameter) : undefined;
    },
  };
}

function isInFirmware({ displayVersions }: DeviceParameter, version: number | null): boolean {
  if (displayVersions === null || version === null) return true;
  const { from, before } = displayVersions;
  return (from === null || version >= from) && (before === null || version < before);
}

/** A value in the form in which the device stores it; undefined if the device refuses it. */
function acceptable({ form }: DeviceParameter, text: string): string | undefined {
  switch (form.type) {
    case 'number':
      return text.trim() !== '' &&
        Number(text) >= form.min * form.scale &&
        Number(text) <= form.max * form.scale
        ? String(Number(text))
        : undefined;
    case 'choice':
      return Object.hasOwn(form.options, text) ? text : undefined;
    case 'bits':
      return /^\d{1,5}$/.test(text) ? String(Number(text)) : undefined;
    case 'clock':
      return clockMs(text) === undefined ? undefined : text;
    case 'slot':
      return simulatedSlotText(text);
    case 'slots':
      return simulatedSlotsText(text);
    case 'times':
    case 'text':
      return undefined;
  }
}

const NO_SLOT = '00:00-00:00';

function initialOf(
  { id, form }: DeviceParameter,
  initial: Readonly<Record<string, string>>,
): string {
  const known = initial[id];
  if (known !== undefined) return known;
  switch (form.type) {
    case 'number':
      return String(Math.max(0, form.min * form.scale));
    case 'choice':
      return Object.keys(form.options)[0]!;
    case 'bits':
      return '1';
    case 'slot':
      return NO_SLOT;
    case 'slots':
      return Array.from({ length: 3 }, () => `0,0,${NO_SLOT},${NO_SLOT}`).join(',');
    case 'clock':
    case 'times':
    case 'text':
      return '0';
  }
}
