import type { Alarm, State } from '../registers/register-map.ts';
import type { AlarmsEntry, RegistersFile } from './registers-schema.ts';

const BITS = 16;

type Level = Alarm['level'];

const faultOf = (number: number, [level, name]: readonly [number, string]): Alarm => ({
  code: number.toString(16).padStart(4, '0'),
  level: level as Level,
  name,
});

/** States of a device, and those that are faults, by number; `others` if the file says nothing of them. */
export function statesOf(
  { states, faults }: Pick<RegistersFile, 'states' | 'faults'>,
  others: ReadonlyMap<number, State>,
): ReadonlyMap<number, State> {
  if (states === undefined && faults === undefined) return others;
  return new Map([
    ...Object.entries(states ?? {}).map(([code, name]): [number, State] => [
      Number(code),
      { name, alarm: null },
    ]),
    ...Object.entries(faults ?? {}).map(([code, fault]): [number, State] => [
      Number(code),
      { name: fault[1], alarm: faultOf(Number(code), fault) },
    ]),
  ]);
}

/** The bits of a word that are alarms. A bit that is one of the states has its code, so that a device that shows both raises one alarm. */
export function alarmsOf(
  { code, first = 0, level = 2, bits = {}, names = [] }: AlarmsEntry,
  name: string,
  states: ReadonlyMap<number, State>,
  fault: (text: string) => void,
): ReadonlyMap<number, Alarm> {
  const alarms = new Map<number, Alarm>();
  if (Object.keys(bits).length > 0 && names.length === 0)
    fault(`names is missing: from which table are those of ${name}?`);
  const zeros = /(?<!0)0+$/.exec(code ?? '')?.[0].length ?? 0;
  const codeOf = (number: number): string =>
    code === undefined
      ? ''
      : `${code.slice(0, code.length - zeros)}${String(number).padStart(zeros, '0')}`;
  if (code !== undefined)
    for (let bit = 0; bit < BITS; bit++)
      alarms.set(bit, {
        code: codeOf(first + bit),
        level: level as Level,
        name: `fault ${codeOf(first + bit)}, explained in the manual of the device`,
      });
  for (const [number, said] of Object.entries(bits)) {
    const bit = Number(number) - first;
    const known = typeof said === 'number' ? states.get(said)?.alarm : null;
    if (bit < 0 || bit >= BITS || known === undefined)
      fault(`${number} is no bit of ${name}, or no fault of the device`);
    else if (known) alarms.set(bit, known);
    else if (code === undefined) fault(`${number} of ${name} has no code`);
    else {
      const [itsLevel, itsName] = typeof said === 'object' ? said : [level, String(said)];
      alarms.set(bit, { code: codeOf(Number(number)), level: itsLevel as Level, name: itsName });
    }
  }
  return alarms;
}
