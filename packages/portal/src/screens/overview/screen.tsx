import { Button, SegmentedControl, VisuallyHidden } from '@mantine/core';
import type { PlantState } from '@helioport/contract';
import { getRouteApi, Link, Navigate } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import { Actions, Page } from '../../components/layout.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { ListIcon, MapIcon } from '../../parts/icons.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { StateCounters } from '../../parts/state-counters.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { texts as shared } from '../../parts/texts/index.ts';
import { useSession } from '../../session/session-context.ts';
import { useOperation } from '../../wire/queries.ts';
import { serverTimeOf } from '../../wire/server-clock.ts';
import { ArchivedLink } from './archived-link.tsx';
import { sumOf } from './curve.ts';
import { PlantList } from './plant-list.tsx';
import styles from './screen.module.css';
import { Sums } from './sums.tsx';
import { texts } from './texts/index.ts';
import { useCurves } from './use-curves.ts';
import { RANKING_PAGE_SIZE, useRanking } from './use-ranking.ts';
import { Verdict } from './verdict.tsx';
import { Visits } from './visits/visits.tsx';

const PlantMap = lazy(() =>
  import('./map/plant-map.tsx').then((module) => ({ default: module.PlantMap })),
);

const STATES: readonly PlantState[] = ['online', 'offline', 'alarm', 'building'];

const route = getRouteApi('/');

/** Says whether the reader may create plants. Without a connection nobody can, and operators only look. */
function useMayAdd(): boolean {
  const account = useSession().session?.account;
  return account != null && account.role !== 'operator';
}

/** Somebody without plants adds one, or came to develop. */
function NoPlants({ archived }: { readonly archived: number | undefined }): ReactNode {
  const t = texts.useTexts();
  return (
    <Empty title={t.noPlants} lead={t.noPlantsLead}>
      {useMayAdd() && (
        <>
          <Actions>
            <Button component={Link} to="/plants/new">
              {t.newPlant}
            </Button>
            <Button variant="default" component={Link} to="/developer">
              {t.developer}
            </Button>
          </Actions>
          <ArchivedLink archived={archived} />
        </>
      )}
    </Empty>
  );
}

/** All plants of the person who is signed in: what they do now and have earned, and which of them need looking at. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { state: names } = shared.useTexts();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayAdd = useMayAdd();
  const account = useSession().session?.account;
  const {
    data: overview,
    dataUpdatedAt,
    error,
    refetch,
  } = useOperation('plant/overview', {}, { kept: true });
  // Asked for at the same time as the sums, since most people have plants.
  useRanking(search, !search.map);
  const plants = overview?.plants ?? 0;
  const curves = useCurves(search, plants);
  if (!overview)
    return error ? (
      <Failed error={error} again={() => void refetch()} />
    ) : (
      <Loading heights={[9, 24]} />
    );
  if (overview.plants === 0)
    return account?.role === 'developer' && overview.archived === 0 ? (
      <Navigate to="/developer" replace />
    ) : (
      <NoPlants archived={overview.archived} />
    );
  const change = (next: typeof search): void => void navigate({ search: next, replace: true });
  return (
    <Page>
      <VisuallyHidden>
        <PageHeading>{t.title}</PageHeading>
      </VisuallyHidden>
      <Verdict overview={overview} />
      <Sums
        overview={overview}
        asOf={error ? serverTimeOf(dataUpdatedAt) : undefined}
        curve={plants <= RANKING_PAGE_SIZE ? sumOf([...curves.values()]) : undefined}
      />
      <Visits />
      <div className={styles.tools}>
        {plants > 1 && (
          <>
            <StateCounters
              label={t.counters}
              total={plants}
              counts={STATES.map((state) => ({
                state,
                name: names[state],
                count: overview[state] ?? 0,
              }))}
              chosen={search.state}
              onChoose={(state) => change({ ...search, page: undefined, state })}
            />
            <SearchField
              label={t.search}
              value={search.q ?? ''}
              onSearch={(q) => change({ ...search, page: undefined, q: q || undefined })}
            />
            <SegmentedControl
              aria-label={t.view}
              value={search.map ? 'map' : 'list'}
              onChange={(view) => change({ ...search, map: view === 'map' || undefined })}
              data={[
                { value: 'list', label: <ViewName icon={<ListIcon size={18} />} text={t.list} /> },
                { value: 'map', label: <ViewName icon={<MapIcon size={18} />} text={t.map} /> },
              ]}
            />
          </>
        )}
        {mayAdd && (
          <Button variant="default" component={Link} to="/plants/new" className={styles.add}>
            {t.newPlant}
          </Button>
        )}
      </div>
      {search.map ? (
        <Suspense fallback={<Loading heights={[30]} />}>
          <PlantMap
            {...(search.q && { search: search.q })}
            {...(search.state && { state: search.state })}
          />
        </Suspense>
      ) : (
        <PlantList search={search} curves={curves} onChange={change} />
      )}
      {mayAdd && <ArchivedLink archived={overview.archived} />}
    </Page>
  );
}

function ViewName({ icon, text }: { readonly icon: ReactNode; readonly text: string }): ReactNode {
  return (
    <span className={styles.view}>
      {icon}
      {text}
    </span>
  );
}
