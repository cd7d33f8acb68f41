import { Checkbox, Fieldset, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { FaultText, Note, Section } from '../../../components/layout.tsx';
import { DateTimeField } from '../../../parts/forms/date-time-field.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { texts } from '../texts/index.ts';
import { optionName, type Setting, settingTexts } from '../../../parts/settings/setting-texts.ts';
import styles from './settings.module.css';

interface InputProps {
  readonly setting: Setting;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Why the value cannot be sent. */
  readonly error?: string | undefined;
}

/** Where the new value of a setting is entered, by the form of its values. Values are as they are written to the device. */
export function ValueInput({ setting, value, onChange, error }: InputProps): ReactNode {
  const t = texts.useTexts();
  const words = settingTexts.useTexts();
  const formats = useFormats();
  const { form, options = [], unit = '', min, max, step, scale = 1 } = setting;
  const common = { label: t.newValue, error, 'data-autofocus': true };
  switch (form) {
    case 'number': {
      const range =
        min === undefined || max === undefined
          ? undefined
          : t.rangeHint(
              formats.number(min, 3),
              formats.number(max, 3),
              unit,
              formats.number(step, 3),
            );
      const shown = value === '' ? '' : String(Math.round((Number(value) / scale) * 1e6) / 1e6);
      return (
        <TextInput
          {...common}
          type="number"
          inputMode="decimal"
          description={range}
          min={min}
          max={max}
          step={step}
          value={shown}
          rightSection={unit}
          onChange={({ currentTarget: { value: typed } }) =>
            onChange(typed === '' ? '' : String(Math.round(Number(typed) * scale * 1e6) / 1e6))
          }
        />
      );
    }
    case 'choice':
      return (
        <NativeSelect
          {...common}
          value={value}
          data={[
            { value: '', label: t.choose, disabled: true },
            ...options
              .filter(({ settable }) => settable)
              .map((one) => ({ value: one.value, label: optionName(words, one) })),
          ]}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    case 'bits':
      return <BitsInput setting={setting} value={value} onChange={onChange} error={error} />;
    case 'clock':
      return (
        <DateTimeField
          {...common}
          type="datetime-local"
          step={1}
          description={t.clockHint}
          value={value.replace(' ', 'T')}
          onChange={({ currentTarget: { value: typed } }) =>
            onChange(
              typed === '' ? '' : `${typed.replace('T', ' ')}${typed.length === 16 ? ':00' : ''}`,
            )
          }
        />
      );
    case 'slot': {
      const [from = '', to = ''] = value.split('-', 2);
      return (
        <Fieldset legend={t.newValue} className={styles.slot}>
          <DateTimeField
            type="time"
            label={t.slotFrom}
            value={from}
            onChange={({ currentTarget }) => onChange(`${currentTarget.value}-${to}`)}
            data-autofocus
          />
          <DateTimeField
            type="time"
            label={t.slotTo}
            value={to}
            onChange={({ currentTarget }) => onChange(`${from}-${currentTarget.value}`)}
            error={error}
          />
        </Fieldset>
      );
    }
    default:
      return (
        <TextInput
          {...common}
          description={form === 'slots' ? t.slotsHint : form === 'times' ? t.timesHint : undefined}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
  }
}

/** Switches of which each is a bit; of those that exclude each other, switching one on switches the others off. */
function BitsInput({ setting, value, onChange, error }: InputProps): ReactNode {
  const options = setting.options ?? [];
  const t = texts.useTexts();
  const words = settingTexts.useTexts();
  const bits = Number(value === '' ? 0 : value);
  const toggle = (option: (typeof options)[number], isOn: boolean): void => {
    const others =
      option.exclusive && isOn
        ? options
            .filter(({ exclusive }) => exclusive)
            .reduce((sum, one) => sum | Number(one.value), 0)
        : 0;
    const bit = Number(option.value);
    onChange(String((bits & ~others & ~bit) | (isOn ? bit : 0)));
  };
  const checkbox = (option: (typeof options)[number]): ReactNode => (
    <Checkbox
      key={option.value}
      label={optionName(words, option)}
      description={t.optionHelp[option.name]}
      checked={(bits & Number(option.value)) !== 0}
      onChange={({ currentTarget }) => toggle(option, currentTarget.checked)}
    />
  );
  const isKnown = ({ name }: (typeof options)[number]): boolean => t.optionHelp[name] !== undefined;
  const [known, others] = [options.filter(isKnown), options.filter((option) => !isKnown(option))];
  return (
    <Fieldset legend={t.newValue} className={styles.bits}>
      {known.map(checkbox)}
      {others.length > 0 && (
        <details>
          <summary>{t.otherSwitches(others.length)}</summary>
          <Note>{t.undocumented}</Note>
          <Section component="div">{others.map(checkbox)}</Section>
        </details>
      )}
      {error && <FaultText>{error}</FaultText>}
    </Fieldset>
  );
}
