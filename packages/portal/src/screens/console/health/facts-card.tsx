import type { ReactNode } from 'react';
import { Card, Facts } from '../../../components/layout.tsx';

interface FactsCardProps {
  readonly title?: string;
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}

/** A few figures under a title. */
export const FactsCard = ({ title, facts }: FactsCardProps): ReactNode => (
  <Card>
    {title !== undefined && <h2>{title}</h2>}
    <Facts rows>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </Facts>
  </Card>
);
