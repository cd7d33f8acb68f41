import type { ReactNode } from 'react';
import { Card, Facts, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { Failed, Loading } from '../../parts/states.tsx';
import { useOperation } from '../../wire/queries.ts';
import { LimitsForm } from './limits-form.tsx';
import { texts } from './texts/index.ts';
import { useWords } from './words.ts';

/** Another tab, or the other owner of a household, may change them. */
const WATCH_MS = 10_000;

/** What the owner lets strategies do: shown to all, changed by the owner. */
export function Limits({
  plantId,
  isOwner,
}: {
  readonly plantId: string;
  readonly isOwner: boolean;
}): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const words = useWords();
  const {
    data: limits,
    error,
    refetch,
  } = useOperation('strategy/limits', { plantId }, { refreshMs: WATCH_MS });
  if (!limits) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  const { reserveSocPercent, cyclesPerDay, quietHours = [] } = limits;
  return (
    <Card aria-labelledby="limits">
      <h2 id="limits">{(isOwner ? t : t.shared).limits}</h2>
      <Soft>{t.limitsLead}</Soft>
      {isOwner ? (
        <LimitsForm plantId={plantId} limits={limits} />
      ) : (
        <Facts across>
          <div>
            <dt>{t.reserve}</dt>
            <dd>
              {reserveSocPercent === undefined ? t.none : `${formats.number(reserveSocPercent)} %`}
            </dd>
          </div>
          <div>
            <dt>{t.cycles}</dt>
            <dd>{cyclesPerDay === undefined ? t.none : formats.number(cyclesPerDay, 2)}</dd>
          </div>
          <div>
            <dt>{t.quietHours}</dt>
            <dd>{quietHours.length === 0 ? t.noHours : quietHours.map(words.hours).join('; ')}</dd>
          </div>
        </Facts>
      )}
    </Card>
  );
}
