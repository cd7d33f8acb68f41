import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Card, Page, Section, Soft } from '../../components/layout.tsx';
import { PlantHead } from '../../parts/plants/plant-head.tsx';
import { PlantFailed } from '../../parts/plants/plant-failed.tsx';
import { Loading } from '../../parts/states.tsx';
import { useOperation } from '../../wire/queries.ts';
import { Control } from './control.tsx';
import { Limits } from './limits.tsx';
import { Reserve } from './reserve.tsx';
import { StrategyCard } from './strategy-card.tsx';
import { texts } from './texts/index.ts';
import type { Strategy } from './words.ts';

const route = getRouteApi('/plants/$id/strategies');
const PAGE_SIZE = 10;
/** Strategies are set up and ended while people watch. */
const WATCH_MS = 5_000;

const OVER = new Set<Strategy['state']>(['partlyApplied', 'completed', 'cancelled', 'failed']);

/** Whether it does nothing any more in the plant, though it may go on elsewhere. */
const isOver = ({ state }: Strategy): boolean => OVER.has(state);

/** What strategies do in a plant, what its owner lets them do, and how all of it is stopped. */
export function Screen(): ReactNode {
  const known = texts.useTexts();
  const { id: plantId } = route.useParams();
  const [pages, setPages] = useState(1);
  const plant = useOperation('plant/show', { plantId });
  const may = useOperation('control/state', { plantId });
  const current = useOperation('strategy/list', { plantId, current: 1 }, { refreshMs: WATCH_MS });
  const all = useOperation(
    'strategy/list',
    { plantId, limit: pages * PAGE_SIZE },
    { keepPrevious: true, refreshMs: WATCH_MS },
  );
  const error = plant.error ?? may.error ?? current.error ?? all.error;
  if (!plant.data || !may.data || !current.data || !all.data)
    return error ? (
      <PlantFailed
        plantId={plantId}
        error={error}
        again={() =>
          void Promise.all([plant.refetch(), may.refetch(), current.refetch(), all.refetch()])
        }
      />
    ) : (
      <Loading />
    );

  const zone = plant.data.zone.name;
  const isOwner = may.data.mayManage === true;
  const t = isOwner ? known : { ...known, ...known.shared };
  const listed = new Map([...current.data, ...all.data].map((strategy) => [strategy.id, strategy]));
  const [past, underWay] = [true, false].map((over) =>
    [...listed.values()].filter((strategy) => isOver(strategy) === over),
  ) as [Strategy[], Strategy[]];
  const card = (strategy: Strategy): ReactNode => (
    <StrategyCard
      key={strategy.id}
      strategy={strategy}
      plantId={plantId}
      zone={zone}
      isOwner={isOwner}
      isOver={isOver(strategy)}
    />
  );
  return (
    <Page narrow>
      <PlantHead plant={plant.data} page="strategies" />
      <header>
        <h2>{t.title}</h2>
        <Soft>{t.lead}</Soft>
      </header>
      <Section aria-labelledby="current">
        <h2 id="current">{t.current}</h2>
        {underWay.length === 0 ? (
          <Card component="div">
            <strong>{t.noCurrent}</strong>
            <Soft>{t.noCurrentLead}</Soft>
          </Card>
        ) : (
          underWay.map(card)
        )}
      </Section>
      <Control plantId={plantId} zone={zone} stoppedAt={may.data.stoppedAt} isOwner={isOwner} />
      <Reserve
        plantId={plantId}
        zone={zone}
        isOwner={isOwner}
        mayRead={may.data.mayRead === true}
      />
      <Limits plantId={plantId} isOwner={isOwner} />
      {past.length > 0 && (
        <Section aria-labelledby="past">
          <h2 id="past">{t.past}</h2>
          {past.map(card)}
          {all.data.length >= pages * PAGE_SIZE && (
            <Button variant="default" loading={all.isFetching} onClick={() => setPages(pages + 1)}>
              {t.more}
            </Button>
          )}
        </Section>
      )}
    </Page>
  );
}
