import { Alert, Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Card, Facts, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import type { Command } from '../../parts/settings/command.ts';
import { settingTexts } from '../../parts/settings/setting-texts.ts';
import { toast } from '../../parts/toast.tsx';
import { useOperation } from '../../wire/queries.ts';
import { ReserveOfDevice } from './reserve-of-device.tsx';
import { RESERVE, setReserve } from './set-reserve.ts';
import styles from './strategies.module.css';
import { texts } from './texts/index.ts';

/** Batteries that are set together. */
const BATTERIES = 5;

interface ReserveProps {
  readonly plantId: string;
  readonly zone: string;
  readonly isOwner: boolean;
  readonly mayRead: boolean;
}

/** What is kept for power cuts: by the batteries themselves, and by strategies. The owner sets both at once. Nothing in a plant without batteries. */
export function Reserve({ plantId, zone, isOwner, mayRead }: ReserveProps): ReactNode {
  const t = texts.useTexts();
  const words = settingTexts.useTexts();
  const formats = useFormats();
  const client = useQueryClient();
  const { data } = useOperation('device/ranking', {
    plantId,
    kind: 'inverter',
    sort: 'name',
    pageNo: 1,
    pageSize: 100,
  });
  const { data: limits } = useOperation('strategy/limits', { plantId });
  const [typed, setTyped] = useState('');
  const [commands, setCommands] = useState<ReadonlyMap<string, Command>>(new Map());
  const [isSaving, setSaving] = useState(false);
  const [fault, setFault] = useState<string>();
  const batteries = (data?.page.records ?? [])
    .filter(({ batterySocPercent }) => batterySocPercent !== undefined)
    .slice(0, BATTERIES);
  if (batteries.length === 0 || !limits) return null;

  const { reserveSocPercent } = limits;
  const isFit = /^\d{1,3}$/.test(typed) && Number(typed) <= 100;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setFault(undefined);
    setSaving(true);
    setReserve(
      plantId,
      batteries.map(({ sn = '' }) => sn),
      typed,
    )
      .then((sent) => {
        setCommands(sent);
        toast.show(t.reserveSaved);
      })
      .catch((error: Error) => setFault(error.message))
      .finally(() => {
        setSaving(false);
        void client.invalidateQueries();
      });
  };
  return (
    <Card aria-labelledby="reserve">
      <h2 id="reserve">{words.settings[RESERVE]}</h2>
      <Soft>{t.reserveLead}</Soft>
      <Facts across>
        {batteries.map(({ id = '', sn = '', name, collectorState }) => (
          <ReserveOfDevice
            key={sn}
            id={id}
            sn={sn}
            name={name || sn}
            plantId={plantId}
            zone={zone}
            mayRead={mayRead && collectorState === 'online'}
            mayWrite={isOwner}
            command={commands.get(sn)}
          />
        ))}
        <div>
          <dt>{t.strategiesLeave}</dt>
          <dd>
            {reserveSocPercent === undefined ? t.none : `${formats.number(reserveSocPercent)} %`}
          </dd>
        </div>
      </Facts>
      {isOwner && (
        <form className={styles.reserve} onSubmit={submit} noValidate>
          <TextInput
            type="number"
            min={0}
            max={100}
            label={t.keepForCuts}
            rightSection="%"
            value={typed}
            error={typed !== '' && !isFit && t.wrongReserve}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Button type="submit" disabled={!isFit} loading={isSaving}>
            {t.setReserve}
          </Button>
        </form>
      )}
      {fault !== undefined && (
        <Alert color="red" role="alert" mt="sm">
          <bdi lang="en">{fault}</bdi>
        </Alert>
      )}
    </Card>
  );
}
