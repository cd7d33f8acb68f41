import { DAY_MS } from '@helioport/contract/durations';
import type { WireData } from '@helioport/contract';
import { useLanguage } from '../../i18n/active-language.tsx';
import { useFormats, type Formats, type Shown } from '../../i18n/formats.ts';
import type { Texts } from './texts/en.ts';
import { texts } from './texts/index.ts';

export type Strategy = WireData<'strategy/list'>[number];
type Interval = NonNullable<Strategy['intervals']>[number];
type Payload = Interval['payload'];

const joined = ({ value, unit }: Shown): string => `${value} ${unit}`;

/** Below what the owner leaves in the battery, no strategy discharges it. */
function payloadWords(
  t: Texts,
  formats: Formats,
  payload: Payload,
  reserve: number,
  isOwner: boolean,
): string {
  const power = (kw: number): string => joined(formats.power(kw * 1000));
  const percent = (value: number): string => joined(formats.percent(value));
  switch (payload.type) {
    case 'charge':
      return t.charge(percent(payload.socPercent), power(payload.powerKw));
    case 'discharge': {
      const { socPercent, powerKw } = payload;
      if (socPercent >= reserve) return t.discharge(percent(socPercent), power(powerKw));
      return `${t.discharge(percent(reserve), power(powerKw))} ${(isOwner ? t : t.shared).insteadOf(percent(socPercent))}`;
    }
    case 'exportLimit':
      return t.exportLimit(power(payload.powerKw));
    default:
      return t[payload.type];
  }
}

/** 2024 began on a Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

interface Line {
  readonly key: string;
  /** Hours and days; undefined for what is done all the time. */
  readonly when: string | undefined;
  readonly what: string;
}

interface Words {
  /** What a strategy does, line by line; `reserve`: what its owner has strategies leave in the battery, in percent. */
  linesOf(strategy: Strategy, reserve: number | undefined, isOwner: boolean): readonly Line[];
  /** Hours of the plant's clock on some days, or on all. */
  hours(hours: {
    readonly start: string;
    readonly end: string;
    readonly days?: readonly string[];
  }): string;
}

/** Says in words what strategies do. */
export function useWords(): Words {
  const t = texts.useTexts();
  const formats = useFormats();
  const { language } = useLanguage();
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' });
  const clock = (text: string): string => {
    const [hour = 0, minute = 0] = text.split(':').map(Number);
    return formats.time(MONDAY + (hour * 60 + minute) * 60_000, 'UTC');
  };
  const hours: Words['hours'] = ({ start, end, days }) => {
    const named =
      days === undefined || days.length === 7
        ? t.everyDay
        : formats.list(days.map((day) => weekday.format(MONDAY + DAYS.indexOf(day) * DAY_MS)));
    return `${start === '00:00' && end === '24:00' ? t.allDay : `${clock(start)}–${clock(end)}`}, ${named}`;
  };
  return {
    hours,
    linesOf({ intervals, powerKw }, reserve = 0, isOwner) {
      if (powerKw !== undefined) {
        const power = joined(formats.power(Math.abs(powerKw) * 1000));
        return [
          {
            key: 'set point',
            when: undefined,
            what: powerKw >= 0 ? t.setPointExport(power) : t.setPointImport(power),
          },
        ];
      }
      return (intervals ?? []).map((interval, i) => ({
        key: String(i),
        when: hours(interval),
        what: payloadWords(t, formats, interval.payload, reserve, isOwner),
      }));
    },
  };
}
