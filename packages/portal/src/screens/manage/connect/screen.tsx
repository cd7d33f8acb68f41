import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import cards from '../../../parts/cards.module.css';
import { PlantHead } from '../../../parts/plants/plant-head.tsx';
import { mayInstall } from '../../../parts/plants/may-install.ts';
import { Failed, Loading } from '../../../parts/states.tsx';
import { useChange, useOperation } from '../../../wire/queries.ts';
import { ManageFault } from '../fault.tsx';
import { Shared } from '../shared.tsx';
import styles from './connect.module.css';
import { Created } from './created.tsx';
import { FamilyChoice } from './family-choice.tsx';
import { texts } from './texts/index.ts';

const route = getRouteApi('/plants/$id/connect');

/** How the devices of a plant are connected: what somebody has, what to switch on, and the file and token of the on-site collector. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { id } = route.useParams();
  const { have } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: plant, error, refetch } = useOperation('plant/show', { plantId: id });
  const create = useChange('collector/create');
  if (!plant) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  if (!mayInstall(plant.level)) return <Shared plant={plant} />;
  return (
    <div className={cards.page}>
      <PlantHead plant={plant} title={t.title} />
      <section className={cards.card} aria-label={t.title}>
        <h2>{t.title}</h2>
        <p className={cards.lead}>{t.lead}</p>
        <FamilyChoice
          value={have}
          onChange={(family) => void navigate({ search: { have: family }, replace: true })}
        />
        {have && <p className={styles.hint}>{t.first[have]}</p>}
        {have && !create.data && (
          <>
            <p className={cards.lead}>{t.createLead}</p>
            <div>
              <Button loading={create.isPending} onClick={() => create.mutate({ plantId: id })}>
                {have === 'own' ? t.createToken : t.createFile}
              </Button>
            </div>
            <ManageFault error={create.error} />
          </>
        )}
      </section>
      {have && create.data && <Created plantId={id} family={have} collector={create.data} />}
    </div>
  );
}
