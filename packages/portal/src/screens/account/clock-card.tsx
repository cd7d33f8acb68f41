import { NativeSelect } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { Card, Soft } from '../../components/layout.tsx';
import { timeZones } from '../../i18n/time-zones.ts';
import { toast } from '../../parts/toast.tsx';
import { useAccount, useSession } from '../../session/session-context.ts';
import { useChange } from '../../wire/queries.ts';
import { readSession } from '../../wire/session.ts';
import { texts } from './texts/index.ts';

/** The clock of the account, which applies wherever no plant's does. */
export function ClockCard(): ReactNode {
  const t = texts.useTexts();
  const { timeZone } = useAccount();
  const { accept } = useSession();
  const change = useChange('account/timeZone');
  const zones = useMemo(
    () => timeZones(timeZone).map((value) => ({ value, label: value.replaceAll('_', ' ') })),
    [timeZone],
  );
  const choose = async (chosen: string): Promise<void> => {
    try {
      await change.mutateAsync({ timeZone: chosen });
      accept(await readSession());
      toast.show(t.clockSaved);
    } catch {
      toast.fault(t.failed);
    }
  };
  return (
    <Card>
      <h2>{t.clock}</h2>
      <Soft>{t.clockLead}</Soft>
      <NativeSelect
        label={t.timeZone}
        value={change.isPending ? change.variables.timeZone : timeZone}
        disabled={change.isPending}
        data={zones}
        onChange={({ currentTarget }) => void choose(currentTarget.value)}
      />
    </Card>
  );
}
