import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormats } from '../../../i18n/formats.ts';
import { Notice } from '../../../parts/notice.tsx';
import { useAccount } from '../../../session/session-context.ts';
import { useConsole } from '../../../wire/console.ts';
import { beginSupport } from '../../../wire/support.ts';
import { texts } from '../texts/index.ts';

const REFRESH_MS = 15_000;

/** Who lets operators look at this moment, and the way in. */
export function OpenSupportCard(): ReactNode {
  const t = texts.useTexts().support;
  const formats = useFormats();
  const { timeZone } = useAccount();
  const { data = [] } = useConsole('support/open', {}, { refreshMs: REFRESH_MS });
  return data.map(({ id = '', email = '', expiresAt = 0 }) => (
    <Notice key={id} title={t.open(email, formats.time(expiresAt, timeZone))}>
      <Button
        size="xs"
        variant="default"
        onClick={() => beginSupport({ id, email, expiresAt })}
        aria-label={`${t.look}: ${email}`}
      >
        {t.look}
      </Button>
    </Notice>
  ));
}
