import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Notice } from '../../parts/notice.tsx';
import { call } from '../../wire/call.ts';
import { texts } from './texts/index.ts';

interface EndingProps {
  readonly applicationName: string;
  /** The plants that it will not control any more. */
  readonly plantIds: readonly string[];
  readonly nameOf: (id: string) => string;
}

/** Of so many plants it is asked what runs there. */
const ASKED = 20;

/** The strategies of an application that end with its access to plants. Nothing, if there are none. */
export function Ending({ applicationName, plantIds, nameOf }: EndingProps): ReactNode {
  const t = texts.useTexts().ending;
  const asked = plantIds.slice(0, ASKED);
  const lists = useQueries({
    queries: asked.map((plantId) => ({
      queryKey: ['strategy/list', { plantId, current: 1 }],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call('strategy/list', { plantId, current: 1 }, signal),
    })),
  });
  const running = asked.flatMap((plantId, i) =>
    (lists[i]!.data ?? [])
      .filter((strategy) => strategy.applicationName === applicationName)
      .map(({ id, name, reference }) => ({
        key: `${id} ${plantId}`,
        text: t.strategy(name || (reference ?? ''), nameOf(plantId)),
      })),
  );
  const more = plantIds.length - asked.length;
  if (running.length === 0 && more === 0) return null;
  return (
    <div role="status">
      <Notice kind="warn" title={t.title}>
        {running.map(({ key, text }) => (
          <p key={key}>
            <bdi>{text}</bdi>
          </p>
        ))}
        {more > 0 && <p>{t.more(more)}</p>}
        <p>{t.lead}</p>
      </Notice>
    </div>
  );
}
