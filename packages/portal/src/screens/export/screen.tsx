import { Button, NativeSelect } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { Actions, Card, Page, Soft } from '../../components/layout.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { SettingsLinks } from '../../parts/navigation/section-links.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useChange, useOperation } from '../../wire/queries.ts';
import styles from './export-data.module.css';
import { texts } from './texts/index.ts';

const LOOK_MS = 2_000;
const BYTES_PER_MEGABYTE = 1_000_000;

/** Everything that the account has, to take along. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const { data, error, refetch } = useOperation('export/list', {});
  const start = useChange('export/start');
  const cancel = useChange('export/cancel');
  const [format, setFormat] = useState('csv');
  const current = data?.[0];
  const isUnderway = current?.state === 'underway';
  useEffect(() => {
    if (!isUnderway) return;
    const looks = setInterval(() => void refetch(), LOOK_MS);
    return () => clearInterval(looks);
  }, [isUnderway, refetch]);
  if (!data) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  const percent = formats.percent((current?.progress ?? 0) * 100);
  return (
    <Page narrow>
      <SettingsLinks />
      <PageHeading>{t.title}</PageHeading>
      <Card aria-label={t.title}>
        <Soft>{t.lead}</Soft>
        {(start.error ?? cancel.error) && <p role="alert">{t.failed}</p>}
        <div role="status">
          {isUnderway && (
            <>
              <p>{t.underway(`${percent.value} ${percent.unit}`)}</p>
              <progress
                className={styles.bar}
                value={current.progress}
                max={1}
                aria-label={t.title}
              />
            </>
          )}
          {current?.state === 'ready' && (
            <p>
              {t.ready(
                `${formats.number((current.bytes ?? 0) / BYTES_PER_MEGABYTE, 1)} MB`,
                formats.dateTime(current.expiresAt, timeZone),
              )}
            </p>
          )}
        </div>
        {current && (
          <Actions>
            {!isUnderway && (
              <Button component="a" href={`/portal/exports/${current.id}`} download>
                {t.download}
              </Button>
            )}
            <Button
              variant="default"
              loading={cancel.isPending}
              onClick={() => cancel.mutate({ id: current.id! })}
            >
              {isUnderway ? t.cancel : t.remove}
            </Button>
          </Actions>
        )}
        {!isUnderway && (
          <Actions>
            <NativeSelect
              label={t.format}
              value={format}
              onChange={(event) => setFormat(event.currentTarget.value)}
              data={[
                { value: 'csv', label: t.csv },
                { value: 'parquet', label: t.parquet },
              ]}
            />
            <Button
              variant={current ? 'default' : 'filled'}
              loading={start.isPending}
              onClick={() => start.mutate({ format })}
            >
              {t.start}
            </Button>
          </Actions>
        )}
        {current && !isUnderway && <Soft>{t.again}</Soft>}
      </Card>
    </Page>
  );
}
