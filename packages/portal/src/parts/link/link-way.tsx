import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { knownWordsOf } from '../../i18n/known-words.ts';
import { texts } from './texts/index.ts';

/** How a collector reaches a device, and how well. */
export type DeviceLink = NonNullable<WireData<'device/show'>['link']>;

/** The way to a device in a line: protocol, address, number on the bus, stick; and whether nothing is written to it. */
export function LinkWay({ link }: { readonly link: DeviceLink }): ReactNode {
  const t = texts.useTexts();
  const { via, address, unit, stick, readOnly } = link;
  const parts = [
    ...(address === '' ? [] : [address]),
    ...(isModbus(via) && unit !== undefined ? [t.unit(unit)] : []),
    ...(stick === undefined ? [] : [t.stick(stick)]),
    ...(readOnly ? [t.readOnly] : []),
  ];
  return (
    <>
      {knownWordsOf(t.via, via) ?? via}
      {parts.map((part) => (
        <span key={part}>
          {' · '}
          <bdi>{part}</bdi>
        </span>
      ))}
    </>
  );
}

// Of other ways, a device has no number, and nothing can be written.
const MODBUS: ReadonlySet<string> = new Set(['tcp', 'rtu', 'serial', 'v5']);

/** Whether devices are asked, and can be written to, by their registers. */
export const isModbus = (via: string): boolean => MODBUS.has(via);
