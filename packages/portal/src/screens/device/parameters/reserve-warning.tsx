import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormats } from '../../../i18n/formats.ts';
import { type Setting, settingName, settingTexts, settingValue } from '../../../parts/settings/setting-texts.ts';
import { texts } from '../texts/index.ts';

interface WarningProps {
  /** The storage mode, which keeps no charge for backup. */
  readonly mode: Setting;
  readonly zone: string;
  /** Opens the storage mode; without it, the reader cannot change that. */
  readonly onOpen: (() => void) | undefined;
}

/** Says that the charge kept for backup has no effect now, and leads to the setting on which that depends. */
export function ReserveWarning({ mode, zone, onOpen }: WarningProps): ReactNode {
  const t = texts.useTexts();
  const words = settingTexts.useTexts();
  const formats = useFormats();
  return (
    <div>
      {t.withoutReserve(settingValue(words, formats, mode, mode.value), formats.dateTime(mode.readAt, zone))}{' '}
      {onOpen && (
        <Button variant="default" size="compact-sm" onClick={onOpen}>
          {t.changeName(settingName(words, mode.parameter ?? '', mode.name ?? ''))}
        </Button>
      )}
    </div>
  );
}
