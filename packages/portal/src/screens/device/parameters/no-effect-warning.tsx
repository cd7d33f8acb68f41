import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormats } from '../../../i18n/formats.ts';
import { optionName, type Setting, settingName, settingTexts, settingValue } from '../../../parts/settings/setting-texts.ts';
import { texts } from '../texts/index.ts';

interface WarningProps {
  readonly setting: Setting;
  /** What the setting needs to have an effect, and lacks. */
  readonly prerequisite: Setting;
  readonly zone: string;
  /** Opens the prerequisite with what it lacks; without it, the reader cannot change that. */
  readonly onOpen: (() => void) | undefined;
}

/** Says that a setting has no effect now, and leads to the one on which that depends. */
export function NoEffectWarning({ setting, prerequisite, zone, onOpen }: WarningProps): ReactNode {
  const t = texts.useTexts();
  const words = settingTexts.useTexts();
  const formats = useFormats();
  const name = settingName(words, prerequisite.parameter ?? '', prerequisite.name ?? '');
  const option = (prerequisite.options ?? []).find(({ value }) => value === setting.effectiveOption);
  const optionText = option ? optionName(words, option) : (setting.effectiveOption ?? '');
  const valueOf = (value: string | undefined): string => settingValue(words, formats, prerequisite, value);
  return (
    <div>
      {t.noEffect(name, valueOf(prerequisite.value), formats.dateTime(prerequisite.readAt, zone), optionText)}{' '}
      {onOpen && (
        <Button variant="default" size="compact-sm" onClick={onOpen}>
          {t.turnOn(optionText)}
        </Button>
      )}
    </div>
  );
}
