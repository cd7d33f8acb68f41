import { Fragment, type ReactNode } from 'react';
import { Card } from '../../../components/layout.tsx';
import styles from '../console.module.css';

interface FactsCardProps {
  readonly title?: string;
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}

/** A few figures under a title. */
export const FactsCard = ({ title, facts }: FactsCardProps): ReactNode => (
  <Card>
    {title !== undefined && <h2>{title}</h2>}
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  </Card>
);
