import { Alert } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { Note } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { isOpen, useCommand, type Command } from '../../parts/settings/command.ts';
import { NoEffectWarning } from '../../parts/settings/no-effect-warning.tsx';
import { Progress } from '../../parts/settings/progress.tsx';
import { settingTexts, settingValue } from '../../parts/settings/setting-texts.ts';
import { StrategyWarnings } from '../../parts/settings/strategy-warning.tsx';
import { unmetPrerequisite, withOption } from '../../parts/settings/unmet-prerequisite.ts';
import { useFirstReading } from '../../parts/settings/use-first-reading.ts';
import { useReading } from '../../parts/settings/use-reading.ts';
import { toast } from '../../parts/toast.tsx';
import { useChange, useOperation } from '../../wire/queries.ts';
import { RESERVE } from './set-reserve.ts';
import styles from './strategies.module.css';
import { texts } from './texts/index.ts';

interface DeviceProps {
  readonly id: string;
  readonly sn: string;
  readonly name: string;
  readonly plantId: string;
  readonly zone: string;
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
  /** The write that was just sent to it. */
  readonly command: Command | undefined;
}

/** What one battery keeps for power cuts, read from it; and how far a change of that has come. */
export function ReserveOfDevice({
  id,
  sn,
  name,
  plantId,
  zone,
  mayRead,
  mayWrite,
  command,
}: DeviceProps): ReactNode {
  const t = texts.useTexts();
  const words = settingTexts.useTexts();
  const formats = useFormats();
  const { data: settings } = useOperation('command/parameters', { sn });
  const reserve = settings?.find(({ parameter }) => parameter === RESERVE);
  const prerequisite = reserve && settings && unmetPrerequisite(reserve, settings);
  const wanted =
    reserve &&
    settings?.filter(
      (setting) => setting === reserve || setting.parameter === reserve.effectiveWith,
    );
  const reading = useReading(sn);
  useFirstReading(reading, mayRead ? wanted : undefined);
  const turnOn = useChange('command/send');
  if (!reserve) return null;
  const { value, readAt } = reserve;
  const add =
    prerequisite &&
    ((): void =>
      turnOn.mutate(
        {
          sn,
          cid: prerequisite.parameter!,
          value: withOption(reserve, prerequisite),
          oldValue: prerequisite.raw ?? prerequisite.value!,
        },
        { onError: ({ message }) => toast.fault(message) },
      ));
  return (
    <div className={styles.battery}>
      <dt>
        <Link
          to="/plants/$id/devices/$deviceId"
          params={{ id: plantId, deviceId: id }}
          hash="settings"
        >
          <bdi>{t.deviceKeeps(name)}</bdi>
        </Link>
      </dt>
      <dd>
        {settingValue(words, formats, reserve, value)}{' '}
        <Note component="span">
          {readAt === undefined ? t.notRead : t.readAt(formats.dateTime(readAt, zone))}
        </Note>
      </dd>
      {command && (
        <dd>
          <Followed command={command} isWithoutEffect={prerequisite !== undefined} />
        </dd>
      )}
      {prerequisite && (
        <dd>
          <Alert color="yellow">
            <NoEffectWarning
              setting={reserve}
              prerequisite={prerequisite}
              zone={zone}
              onOpen={mayWrite ? add : undefined}
              isBusy={turnOn.isPending}
            />
          </Alert>
        </dd>
      )}
      {turnOn.data && (
        <dd>
          <Followed command={turnOn.data} />
        </dd>
      )}
      {mayWrite && (
        <dd>
          <StrategyWarnings plantId={plantId} sn={sn} />
        </dd>
      )}
    </div>
  );
}

/** A write that was sent, until it has ended; then the settings are asked for again. */
function Followed({
  command: sent,
  isWithoutEffect = false,
}: {
  readonly command: Command;
  readonly isWithoutEffect?: boolean;
}): ReactNode {
  const client = useQueryClient();
  const { data: command = sent } = useCommand(sent.id);
  const hasEnded = !isOpen(command);
  useEffect(() => {
    if (hasEnded)
      void client.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] === 'command/parameters',
      });
  }, [hasEnded, client]);
  return <Progress command={command} isWithoutEffect={isWithoutEffect} />;
}
