import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Note, Stacked } from '../../../components/layout.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { WarningIcon } from '../../../parts/icons.tsx';
import { texts } from '../texts/index.ts';
import {
  type Setting,
  settingName,
  settingTexts,
  settingValue,
} from '../../../parts/settings/setting-texts.ts';
import styles from './settings.module.css';
import { commandValue } from '../../../parts/settings/command-value.ts';
import { NoEffectWarning } from '../../../parts/settings/no-effect-warning.tsx';

interface RowProps {
  readonly setting: Setting;
  /** What the setting needs to have an effect, if it lacks that. */
  readonly prerequisite: Setting | undefined;
  readonly zone: string;
  /** Whether its number is shown, by which installers know it. */
  readonly isNumbered: boolean;
  readonly isReading: boolean;
  /** Without it, the reader may not read it by itself. */
  readonly onRead: (() => void) | undefined;
  /** Without it, the setting cannot be changed by the reader. */
  readonly onChange: (() => void) | undefined;
  /** Without it, the prerequisite cannot be changed by the reader. */
  readonly onPrerequisite: (() => void) | undefined;
}

/** One setting: its name, what it was when it was last read, and what can be done with it. */
export function SettingRow({
  setting,
  prerequisite,
  zone,
  isNumbered,
  isReading,
  onRead,
  onChange,
  onPrerequisite,
}: RowProps): ReactNode {
  const t = texts.useTexts();
  const words = settingTexts.useTexts();
  const formats = useFormats();
  const { parameter = '', name: profileName = '', form, value, readAt, writable, reason } = setting;
  const { unit = '', canCutSupply, cutsSupplyAtMost, cutsSupplyAtLeast } = setting;
  const name = settingName(words, parameter, profileName);
  const isCommand = commandValue(setting) !== undefined;
  const quantity = (number: number): string => `${formats.number(number, 3)} ${unit}`.trim();
  return (
    <li className={styles.setting} data-parameter={parameter}>
      <Stacked component="div" className={styles.name}>
        <bdi>{name}</bdi>
        {t.settingHelp[parameter] !== undefined && (
          <span className={styles.help}>{t.settingHelp[parameter]}</span>
        )}
        {isCommand && <span className={styles.help}>{t.isCommand}</span>}
        {prerequisite && (
          <div className={styles.warning}>
            <WarningIcon size={14} />
            <NoEffectWarning
              setting={setting}
              prerequisite={prerequisite}
              zone={zone}
              onOpen={onPrerequisite}
            />
          </div>
        )}
        {/* Of switches, only some can; their dialog says when. */}
        {canCutSupply && writable && form !== 'bits' && (
          <span className={styles.warning}>
            <WarningIcon size={14} />
            {cutsSupplyAtMost !== undefined
              ? t.cutsSupplyAtMost(quantity(cutsSupplyAtMost))
              : cutsSupplyAtLeast !== undefined
                ? t.cutsSupplyAtLeast(quantity(cutsSupplyAtLeast))
                : t.cutsSupply}
          </span>
        )}
        {!writable && (
          <Note component="span">{reason === undefined ? t.readOnly : t.otherReason}</Note>
        )}
        {isNumbered && <span className={styles.number}>{t.settingNumber(parameter)}</span>}
      </Stacked>
      <div className={styles.value}>
        <strong>
          <bdi>{settingValue(words, formats, setting, value)}</bdi>
        </strong>
        <Note component="span">
          {isReading
            ? t.reading
            : readAt === undefined
              ? t.notRead
              : t.readAt(formats.dateTime(readAt, zone))}
        </Note>
      </div>
      <div className={styles.buttons}>
        {onRead && (
          <Button
            variant="default"
            size="compact-sm"
            disabled={isReading}
            aria-label={t.readName(name)}
            onClick={onRead}
          >
            {t.read}
          </Button>
        )}
        {onChange && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={isCommand ? t.carryOutName(name) : t.changeName(name)}
            onClick={onChange}
          >
            {isCommand ? t.carryOut : t.change}
          </Button>
        )}
      </div>
    </li>
  );
}
