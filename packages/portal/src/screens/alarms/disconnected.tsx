import { isDisconnected } from '@helioport/contract/plant-connection';
import type { WireData } from '@helioport/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { List } from '../../components/layout.tsx';
import { Notice } from '../../parts/notice.tsx';
import { connectionIn, useConnectionWords } from '../../parts/plants/connection.ts';
import { useOperation } from '../../wire/queries.ts';

/** As many as the first page of the overview has: they are known there already. */
const ASKED = 20;

type Silent = WireData<'plant/ranking'>['records'];

/** The plants that should report and do not, or the one that is asked for: no device of theirs can raise an alarm. */
export function useDisconnected(plant: string | undefined): Silent {
  const { data } = useOperation(
    'plant/ranking',
    { pageNo: 1, pageSize: ASKED, sort: 'state', direction: 'up' },
    { kept: true },
  );
  return (data?.records ?? []).filter(
    ({ id, connection = 'live' }) =>
      isDisconnected(connection) && (plant === undefined || plant === id),
  );
}

/** Says of plants that do not report why that is likely, and what to do. */
export function Disconnected({ silent }: { readonly silent: Silent }): ReactNode {
  const wordsOf = useConnectionWords();
  if (silent.length === 0) return null;
  return (
    <List>
      {silent.map((one) => {
        const words = wordsOf(connectionIn(one, one.timeZone ?? 'UTC'));
        return (
          <li key={one.id}>
            <Notice kind="warn" title={words?.what ?? ''}>
              <Link to="/plants/$id" params={{ id: one.id! }}>
                <bdi>{one.name}</bdi>
              </Link>
              <p>{words?.advice}</p>
            </Notice>
          </li>
        );
      })}
    </List>
  );
}
