import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOperation } from '../../wire/queries.ts';
import { serverNow } from '../../wire/server-clock.ts';
import { texts } from './texts/index.ts';

/** Those of other plants are among them. */
const DEVICES_AT_MOST = 10_000;

interface StrategyWarningProps {
  readonly plantId: string;
  readonly sn: string;
}

/** Says which strategies a change by hand pauses. */
export function StrategyWarnings({ plantId, sn }: StrategyWarningProps): ReactNode {
  const { data = [] } = useOperation('strategy/list', { plantId, current: 1 });
  return data
    .filter(({ state, startAt = 0 }) => state !== 'draft' && startAt <= serverNow())
    .map(({ id = '', name = '', applicationName = '' }) => (
      <StrategyWarning key={id} id={id} sn={sn} name={name} applicationName={applicationName} />
    ));
}

interface OneProps {
  readonly id: string;
  readonly sn: string;
  readonly name: string;
  readonly applicationName: string;
}

function StrategyWarning({ id, sn, name, applicationName }: OneProps): ReactNode {
  const t = texts.useTexts();
  const { data } = useOperation('strategy/detail', { id, limit: DEVICES_AT_MOST });
  const target = data?.targets?.find((one) => one.sn === sn);
  if (target?.state !== 'active' && target?.state !== 'dispatching') return null;
  return <Alert color="yellow">{t.pausesStrategy(name, applicationName)}</Alert>;
}
