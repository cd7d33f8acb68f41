import type { Loss } from '@helioport/contract';
import { useFormats } from '../../i18n/formats.ts';
import { localDay } from '../../i18n/plant-time.ts';
import { texts } from './texts/index.ts';

type Told = Omit<Loss, 'kwh' | 'amount' | 'days'>;

/** Says what speaks for the cause of a loss: the inverter, the limit and who set it, the input, the alarm. */
export function useLossWords(): (loss: Told, zone: string) => string {
  const t = texts.useTexts();
  const formats = useFormats();
  return (loss, zone) => {
    const share = loss.sharePercent == null ? undefined : formats.percent(loss.sharePercent);
    const shareText = share && `${share.value}\u{A0}${share.unit}`;
    const power = loss.limitW == null ? undefined : formats.power(loss.limitW);
    return formats.list(
      [
        loss.sn && t.inverter(loss.sn),
        power && t.limitOf(`${power.value}\u{A0}${power.unit}`),
        loss.setBy &&
          loss.setAt != null &&
          t.on(t.setBy[setterOf(loss.setBy)], formats.day(localDay(loss.setAt, zone))),
        shareText &&
          (loss.input == null ? t.share(shareText) : t.input(String(loss.input), shareText)),
        loss.alarmCode && t.alarm(loss.alarmCode),
        loss.coldestC != null && t.coldest(`${formats.number(loss.coldestC, 0)}\u{A0}°C`),
      ].filter((text) => typeof text === 'string' && text !== '') as string[],
    );
  };
}

const setterOf = (actor: string): 'person' | 'program' | 'operator' | 'other' => {
  if (actor === 'operator') return 'operator';
  if (actor.startsWith('account:')) return 'person';
  return /^(application|key):/.test(actor) ? 'program' : 'other';
};
