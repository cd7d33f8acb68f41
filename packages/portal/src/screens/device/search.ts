import { dayFrom } from '../../i18n/plant-time.ts';
import { isEarlierDay } from '../../parts/charts/earlier-days.ts';

/** What the address of a device says of its tabs; which one is shown stands after `#`. */
export interface DeviceSearch {
  /** The day whose readings are shown; today without it. */
  readonly day?: string | undefined;
  /** The quantity that is shown of them. */
  readonly quantity?: string | undefined;
  /** What they are compared with: an earlier day by its distance, or another device by its id. */
  readonly compare?: string | undefined;
  /** Which settings are shown; those of everyday without it. */
  readonly settings?: 'all' | undefined;
}

/** Reads an address; what makes no sense there is left out. */
export function deviceSearch({
  day,
  quantity,
  compare,
  settings,
}: Readonly<Record<string, unknown>>): DeviceSearch {
  const other = typeof compare === 'string' || typeof compare === 'number' ? String(compare) : '';
  return {
    ...(dayFrom(day) && { day: dayFrom(day) }),
    ...(typeof quantity === 'string' && /^\w{1,40}$/.test(quantity) && { quantity }),
    ...((isEarlierDay(other) || /^\d{1,19}$/.test(other)) && { compare: other }),
    ...(settings === 'all' && { settings }),
  };
}
