import { Alert, Button, NativeSelect } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Actions, Form, Note, Soft } from '../../../components/layout.tsx';
import { Dialog } from '../../../focus/dialog.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { WarningIcon } from '../../../parts/icons.tsx';
import { RefusalAlert } from '../../../parts/forms/refusal-alert.tsx';
import { useChange } from '../../../wire/queries.ts';
import { texts } from '../texts/index.ts';
import {
  type Setting,
  settingName,
  settingTexts,
  settingValue,
} from '../../../parts/settings/setting-texts.ts';
import type { SettingReading } from '../../../parts/settings/use-reading.ts';
import { commandValue } from '../../../parts/settings/command-value.ts';
import { NoEffectWarning } from '../../../parts/settings/no-effect-warning.tsx';
import { StrategyWarnings } from '../../../parts/settings/strategy-warning.tsx';
import { cutsSupply } from './supply-cut.ts';
import { isAllowed } from './value-check.ts';
import { ValueInput } from './value-input.tsx';
import { WriteResult } from './write-result.tsx';

const WAITS_SECONDS = { minutes: 300, hour: 3600, day: 86_400 } as const;

interface DialogProps {
  readonly sn: string;
  readonly plantId: string;
  /** The device and its plant, by their names. */
  readonly place: string;
  readonly setting: Setting;
  /** The value that is proposed, instead of the present one. */
  readonly proposed?: string | undefined;
  /** What the setting needs to have an effect, if it lacks that. */
  readonly prerequisite: Setting | undefined;
  readonly zone: string;
  readonly isReachable: boolean;
  readonly reading: SettingReading;
  /** Without it, the prerequisite cannot be changed by the reader. */
  readonly onPrerequisite: (() => void) | undefined;
  readonly onClose: () => void;
}

/** Changes a setting: takes the new value, warns before what can cut the supply, and then shows what becomes of the write. */
export function WriteDialog({
  sn,
  plantId,
  place,
  setting,
  proposed,
  prerequisite,
  zone,
  isReachable,
  reading,
  onPrerequisite,
  onClose,
}: DialogProps): ReactNode {
  const t = texts.useTexts();
  const words = settingTexts.useTexts();
  const formats = useFormats();
  const {
    parameter = '',
    name: profileName = '',
    value: present,
    raw,
    readAt,
    needsOldValue,
    canCutSupply,
    writesPerDay,
    holdSeconds,
  } = setting;
  const name = settingName(words, parameter, profileName);
  const command = commandValue(setting);
  const [value, setValue] = useState(
    command ?? proposed ?? (setting.form === 'clock' ? '' : (present ?? '')),
  );
  const [isWarned, setWarned] = useState(false);
  const [waitSeconds, setWaitSeconds] = useState<number>(WAITS_SECONDS.minutes);
  const send = useChange('command/send');

  const isUnread = needsOldValue === true && raw === undefined;
  // What the device forgets is written again to hold for longer.
  const isSame = value === present && setting.form !== 'clock' && holdSeconds === undefined;
  const isDangerous = cutsSupply(setting, value);
  const isFit = isAllowed(setting, value);
  const transmit = (): void =>
    send.mutate({
      sn,
      cid: parameter,
      value,
      ...(raw !== undefined && { oldValue: raw }),
      ...(!isReachable && { expirySeconds: waitSeconds }),
    });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isDangerous) setWarned(true);
    else transmit();
  };
  const form = (
    <Form onSubmit={submit} noValidate>
      <p>
        {t.now}: <strong>{settingValue(words, formats, setting, present)}</strong>{' '}
        <Note component="span">
          {readAt === undefined ? t.notRead : t.readAt(formats.dateTime(readAt, zone))}
        </Note>{' '}
        {isReachable && (
          <Button
            variant="default"
            size="compact-sm"
            loading={reading.under.has(parameter)}
            onClick={() => void reading.read([parameter])}
          >
            {t.read}
          </Button>
        )}
      </p>
      {reading.fault && <Alert color="yellow">{reading.fault}</Alert>}
      <StrategyWarnings plantId={plantId} sn={sn} />
      {isUnread && <Alert color="yellow">{t.readFirst}</Alert>}
      {command === undefined && (
        <ValueInput
          setting={setting}
          value={value}
          onChange={setValue}
          error={value !== '' && value !== '-' && !isFit ? t.outOfRange : undefined}
        />
      )}
      {!isReachable && (
        <>
          <Alert color="yellow">{t.offline}</Alert>
          <NativeSelect
            label={t.waitFor}
            value={String(waitSeconds)}
            data={Object.entries(WAITS_SECONDS).map(([key, seconds]) => ({
              value: String(seconds),
              label: t.waits[key as keyof typeof WAITS_SECONDS],
            }))}
            onChange={({ currentTarget }) => setWaitSeconds(Number(currentTarget.value))}
          />
        </>
      )}
      {canCutSupply && setting.form === 'number' && !isDangerous && isFit && (
        <Note>{t.harmless}</Note>
      )}
      <Note>
        {holdSeconds === undefined
          ? t.wear(formats.number(writesPerDay, 0))
          : t.holds(formats.number(holdSeconds / 60, 0))}
      </Note>
      {isSame && present !== undefined && <Note>{t.same}</Note>}
      <Actions end>
        <Button variant="default" onClick={onClose}>
          {t.close}
        </Button>
        <Button type="submit" disabled={!isFit || isUnread || isSame} loading={send.isPending}>
          {command === undefined ? t.send : t.carryOut}
        </Button>
      </Actions>
    </Form>
  );
  const warning = (
    <Form component="div">
      <Alert color="red" title={t.warningTitle} icon={<WarningIcon />} role="alert">
        {t.warning(name)}
      </Alert>
      <p>
        {settingValue(words, formats, setting, present)} →{' '}
        <strong>{settingValue(words, formats, setting, value)}</strong>
      </p>
      <Actions end>
        <Button variant="default" data-autofocus onClick={() => setWarned(false)}>
          {t.back}
        </Button>
        <Button color="red.8" loading={send.isPending} onClick={transmit}>
          {command === undefined ? t.sendAnyway : t.carryOut}
        </Button>
      </Actions>
    </Form>
  );
  return (
    <Dialog
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={<bdi>{command === undefined ? t.dialogTitle(name) : t.carryOutName(name)}</bdi>}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <Soft>
        <bdi>{place}</bdi>
      </Soft>
      {prerequisite && (
        <Alert color="yellow" mb="md">
          <NoEffectWarning
            setting={setting}
            prerequisite={prerequisite}
            zone={zone}
            onOpen={onPrerequisite}
          />
        </Alert>
      )}
      {send.data ? (
        <WriteResult
          sn={sn}
          setting={setting}
          isWithoutEffect={prerequisite !== undefined}
          sent={send.data}
          onClose={onClose}
        />
      ) : isWarned ? (
        warning
      ) : (
        form
      )}
      <RefusalAlert error={send.error} mt="md" />
    </Dialog>
  );
}
