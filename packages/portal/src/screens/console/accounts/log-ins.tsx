import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Stacked } from '../../../components/layout.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { useConsole } from '../../../wire/console.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import { texts } from '../texts/index.ts';

const REFUSALS_COUNTED = 50;

/** Why somebody cannot log in, as far as the trail tells: the last log-in, and those refused since. */
export function LogIns({ email }: { readonly email: string }): ReactNode {
  const t = texts.useTexts().accounts.logIns;
  const formats = useFormats();
  const { data: succeeded } = useConsole('service/trail', {
    email,
    kind: 'logIn.succeeded',
    limit: 1,
  });
  const { data: refused } = useConsole('service/trail', {
    email,
    kind: 'logIn.refused',
    limit: REFUSALS_COUNTED,
  });
  const ago = (at: number): string => formats.ago(serverNow() - at);
  const last = succeeded?.[0]?.at;
  const since = refused?.filter(({ at = 0 }) => at > (last ?? 0)) ?? [];
  const [newest] = since;
  const details: { readonly step?: string } | undefined = newest?.data;
  return (
    <Stacked component="div">
      {succeeded && <span>{last === undefined ? t.never : t.last(ago(last))}</span>}
      {newest && (
        <strong>
          {t.refused(
            since.length === REFUSALS_COUNTED
              ? `≥ ${REFUSALS_COUNTED}`
              : formats.number(since.length, 0),
            ago(newest.at!),
          )}
          {newest.address !== undefined && ` · ${newest.address}`} ·{' '}
          {details?.step === undefined ? t.password : t.step}
        </strong>
      )}
      <Link to="/operator/trail" search={{ email }}>
        {t.trail}
      </Link>
    </Stacked>
  );
}
