import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Failed, Loading } from '../../parts/states.tsx';
import { useOperation } from '../../wire/queries.ts';
import { Binding } from './binding.tsx';
import { Details } from './details.tsx';
import { Fate } from './fate.tsx';
import styles from './manage.module.css';
import { People } from './people.tsx';
import { texts } from './texts/index.ts';

const route = getRouteApi('/plants/$id/settings');

/** What the owner of a plant decides about it. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { id } = route.useParams();
  const [round, setRound] = useState(0);
  const { data: plant, error, refetch } = useOperation('stationDetail', { id });
  if (!plant) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  const again = (): void => void refetch().then(() => setRound((last) => last + 1));
  return (
    <div className={styles.page}>
      <Link to="/plants/$id" params={{ id }} className={styles.back}>
        {t.back}
      </Link>
      <h1>
        {t.settings}: <bdi>{plant.stationName}</bdi>
      </h1>
      <Details key={`${id} ${round}`} plant={plant} onAgain={again} />
      <People plantId={id} />
      <Binding plantId={id} />
      <Fate plantId={id} />
    </div>
  );
}
