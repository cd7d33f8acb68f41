import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { List } from '../../components/layout.tsx';
import { Pages } from '../data-table.tsx';
import type { TakeListener } from './alarm.ts';
import { AlarmCard } from './alarm-card.tsx';

interface AlarmPageProps {
  readonly data: Pick<WireData<'alarm/list'>, 'records' | 'total'>;
  readonly current: number;
  readonly size: number;
  /** Whether another page is on its way. */
  readonly isBusy: boolean;
  readonly label?: string;
  /** Whether the alarms are those of one device, whose page this is. */
  readonly isOfDevice?: boolean;
  readonly onPage: (page: number) => void;
  readonly onTake?: TakeListener;
}

/** A page of alarms, as cards, and the way to the other pages. */
export const AlarmPage = ({
  data: { records, total },
  current,
  size,
  isBusy,
  label,
  isOfDevice = false,
  onPage,
  onTake,
}: AlarmPageProps): ReactNode => (
  <div aria-busy={isBusy}>
    <List aria-label={label}>
      {records.map((alarm) => (
        <AlarmCard
          key={alarm.id}
          alarm={alarm}
          withDevice={!isOfDevice}
          withPlant={!isOfDevice}
          {...(onTake && { onTake })}
        />
      ))}
    </List>
    {total > size && <Pages page={{ current, size, total }} onPage={onPage} />}
  </div>
);
