import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import {
  optionName,
  type Setting,
  settingName,
  settingTexts,
  settingValue,
} from './setting-texts.ts';

interface WarningProps {
  readonly setting: Setting;
  /** What the setting needs to have an effect, and lacks. */
  readonly prerequisite: Setting;
  readonly zone: string;
  /** Gives the prerequisite what it lacks; without it, the reader cannot change that. */
  readonly onOpen: (() => void) | undefined;
  readonly isBusy?: boolean;
}

/** Says that a setting has no effect now, and leads to the one on which that depends. */
export function NoEffectWarning({
  setting,
  prerequisite,
  zone,
  onOpen,
  isBusy = false,
}: WarningProps): ReactNode {
  const words = settingTexts.useTexts();
  const formats = useFormats();
  const name = settingName(words, prerequisite.parameter ?? '', prerequisite.name ?? '');
  const option = (prerequisite.options ?? []).find(
    ({ value }) => value === setting.effectiveOption,
  );
  const optionText = option ? optionName(words, option) : (setting.effectiveOption ?? '');
  const valueOf = (value: string | undefined): string =>
    settingValue(words, formats, prerequisite, value);
  return (
    <div>
      {words.noEffect(
        name,
        valueOf(prerequisite.value),
        formats.dateTime(prerequisite.readAt, zone),
        optionText,
      )}{' '}
      {onOpen && (
        <Button variant="default" size="compact-sm" loading={isBusy} onClick={onOpen}>
          {words.turnOn(optionText)}
        </Button>
      )}
    </div>
  );
}
