import { isQuantity, quantities, type QuantityName } from '@helioport/contract';
import { MappingFault } from './import-fault.ts';

/** A quantity and the column of the file that holds it: `QUANTITY=COLUMN[:UNIT]`. */
export interface Mapping {
  readonly quantity: QuantityName;
  /** COLUMN[:UNIT]. Names of columns may contain colons, so only the file's header shows where the unit begins. */
  readonly source: string;
}

/** Reads `QUANTITY=COLUMN[:UNIT]`. Throws MappingFault. */
export function readMapping(text: string): Mapping {
  const split = text.indexOf('=');
  if (split < 1 || split === text.length - 1)
    throw new MappingFault(`--map ${text}: expected QUANTITY=COLUMN[:UNIT]`);
  const quantity = text.slice(0, split).trim();
  if (!isQuantity(quantity))
    throw new MappingFault(`--map ${text}: unknown quantity ${quantity}; ${similar(quantity)}`);
  return { quantity, source: text.slice(split + 1).trim() };
}

function similar(name: string): string {
  const stem = name.toLowerCase().slice(0, 4);
  const names = [...quantities.keys()];
  const near = names.filter((known) => known.toLowerCase().startsWith(stem));
  return `known are ${(near.length > 0 ? near : names).slice(0, 8).join(', ')} ...`;
}

/** A column by its value, so that rows of others are left out: `COLUMN=VALUE`. */
export interface RowFilter {
  readonly column: string;
  readonly value: string;
}

/** Reads `COLUMN=VALUE`. Throws MappingFault. */
export function readFilter(text: string): RowFilter {
  const split = text.lastIndexOf('=');
  if (split < 1) throw new MappingFault(`--where ${text}: expected COLUMN=VALUE`);
  return { column: text.slice(0, split).trim(), value: text.slice(split + 1).trim() };
}
