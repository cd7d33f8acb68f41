import { Button } from '@mantine/core';
import type { TariffUse } from '@helioport/contract';
import { useState, type ReactNode } from 'react';
import { Card, List, Note, Row, Soft } from '../../../components/layout.tsx';
import { Badge } from '../../../parts/badge.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { toast } from '../../../parts/toast.tsx';
import { useChange, useOperation } from '../../../wire/queries.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import { ManageFault } from '../fault.tsx';
import { inForce, type Tariff } from './in-force.ts';
import { TariffForm } from './tariff-form.tsx';
import { texts } from '../texts/index.ts';
import { useWindowText } from './tariff-windows.tsx';

const USES: readonly TariffUse[] = ['import', 'export', 'production'];

interface TariffsProps {
  readonly plantId: string;
  readonly zone: string;
  readonly currency: string;
}

/** What energy earns and costs, and since when. */
export function Tariffs({ plantId, zone, currency }: TariffsProps): ReactNode {
  const t = texts.useTexts();
  const { data: tariffs, error: readError, refetch } = useOperation('tariff/list', { plantId });
  const { mutate, error, isPending } = useChange('tariff/remove');
  const [leaving, setLeaving] = useState<Tariff>();
  const remove = (): void => {
    const { use, fromAt } = leaving!;
    const from = fromAt === 0 ? 'beginning' : new Date(fromAt!).toISOString();
    mutate(
      { plantId, use: use!, from },
      {
        onSuccess: () => toast.show(fromAt! > serverNow() ? t.tariffRemoved : t.tariffSaved),
        onSettled: () => setLeaving(undefined),
      },
    );
  };
  return (
    <Card id="tariffs" aria-label={t.tariffs}>
      <h2>{t.tariffs}</h2>
      <Soft>{t.tariffsLead}</Soft>
      {tariffs ? (
        <>
          {USES.map((use) => (
            <Versions
              key={use}
              use={use}
              versions={tariffs.filter((one) => one.use === use)}
              zone={zone}
              currency={currency}
              onRemove={setLeaving}
            />
          ))}
          <ManageFault error={error} />
          <TariffForm plantId={plantId} zone={zone} tariffs={tariffs} />
        </>
      ) : readError ? (
        <Failed error={readError} again={() => void refetch()} />
      ) : (
        <Loading heights={[24]} />
      )}
      <ConfirmDialog
        opened={leaving !== undefined}
        title={t.removeTariff}
        action={t.removeTariff}
        dangerous
        busy={isPending}
        onConfirm={remove}
        onClose={() => setLeaving(undefined)}
      >
        {t.removeTariffLead}
      </ConfirmDialog>
    </Card>
  );
}

interface VersionsProps {
  readonly use: TariffUse;
  readonly versions: readonly Tariff[];
  readonly zone: string;
  readonly currency: string;
  readonly onRemove: (tariff: Tariff) => void;
}

function Versions({ use, versions, zone, currency, onRemove }: VersionsProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const windowText = useWindowText(currency);
  const now = serverNow();
  const present = inForce(versions);
  return (
    <div>
      <h3>{t.uses[use]}</h3>
      {versions.length === 0 && <Soft>{t.noPrice}</Soft>}
      <List divided>
        {versions.map((version) => {
          const since =
            version.fromAt === 0 ? t.sinceEver : t.since(formats.dateTime(version.fromAt, zone));
          const price = formats.price(version.pricePerKwh, currency);
          return (
            <Row key={version.fromAt} component="li">
              <div>
                <strong>{price}</strong>{' '}
                {version === present && <Badge kind="plain">{t.inForce}</Badge>}
                {version.fromAt! > now && <Badge kind="plain">{t.planned}</Badge>}
                <Note component="span">{since}</Note>
                {version.windows?.map(windowText).map((text) => (
                  <Note key={text} component="span">
                    {text}
                  </Note>
                ))}
              </div>
              <Button
                variant="default"
                aria-label={`${t.removeTariff}: ${t.uses[use]}, ${price}, ${since}`}
                onClick={() => onRemove(version)}
              >
                {t.remove}
              </Button>
            </Row>
          );
        })}
      </List>
    </div>
  );
}
