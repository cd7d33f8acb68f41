import { linkStates, type DeviceLinkRecord } from '@helioport/contract';

const VIA = /^[a-z0-9-]{1,16}$/;
const TEXT = /^\P{Cc}{1,100}$/u;
const UNIT_AT_MOST = 65_535;

const COUNTS = ['timeouts', 'strays', 'reconnects', 'droppedValues'] as const;

/** What is used of the way to a device. */
export const LINK_FIELDS = [
  'via',
  'address',
  'unit',
  'stick',
  'readOnly',
  'state',
  ...COUNTS,
] as const satisfies readonly (keyof DeviceLinkRecord)[];

const isText = (value: unknown): boolean =>
  typeof value === 'string' && TEXT.test(value) && value.isWellFormed();

const isCount = (value: unknown, most = Number.MAX_SAFE_INTEGER): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;

/** What is wrong with the way to a device that its collector reports; undefined if nothing is. */
export function linkFault(link: unknown): string | undefined {
  if (typeof link !== 'object' || link === null || Array.isArray(link))
    return `link must be an object {via, address, unit, stick, readOnly, state, ${COUNTS.join(', ')}}`;
  const { via, address, unit, stick, readOnly, state, ...rest } = link as Record<string, unknown>;
  if (!(typeof via === 'string' && VIA.test(via)))
    return 'link.via must be a word of 1 to 16 small letters, such as tcp';
  for (const [name, text] of Object.entries({ address, stick }))
    if (!(name === 'stick' && text === undefined) && !isText(text))
      return `link.${name} must be text of 1 to 100 characters without control characters`;
  if (unit !== undefined && !isCount(unit, UNIT_AT_MOST))
    return `link.unit must be a whole number from 0 to ${UNIT_AT_MOST}`;
  if (typeof readOnly !== 'boolean') return 'link.readOnly must be true or false';
  if (!(linkStates as readonly unknown[]).includes(state))
    return `link.state must be one of ${linkStates.join(', ')}`;
  const odd = COUNTS.find((name) => !isCount(rest[name]));
  return odd && `link.${odd} must be a whole number, 0 or more`;
}

/** What is kept of the way to a device. */
export const linkOf = (link: DeviceLinkRecord): DeviceLinkRecord =>
  Object.fromEntries(LINK_FIELDS.map((name) => [name, link[name]])) as unknown as DeviceLinkRecord;
