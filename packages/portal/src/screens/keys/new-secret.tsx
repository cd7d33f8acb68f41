import { Button } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { Actions, Form, More } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { CheckIcon, CopyIcon } from '../../parts/icons.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useCopy } from '../../parts/copying/use-copy.ts';
import { useAccount, useSession } from '../../session/session-context.ts';
import type { Key } from './key-state.ts';
import { signedRequest } from '../../parts/developer/signed-request.ts';
import { texts } from './texts/index.ts';

/** Both halves of a new key pair. */
export interface KeyPair {
  readonly keyId: string;
  readonly keySecret: string;
}

interface NewSecretProps {
  readonly pair: KeyPair;
  /** The key pair that it replaces, which goes on until it is disabled or expires. */
  readonly replaced: Key | undefined;
  /** The secret has been copied. */
  readonly onKept: () => void;
  /** Asks before it is done, unless the secret has been copied. */
  readonly guarded: (leave: () => void) => () => void;
  readonly onClose: () => void;
}

/** A key pair that was just created. Its secret is nowhere else, and it is of use after the next log-in. */
export function NewSecret({ pair, replaced, onKept, guarded, onClose }: NewSecretProps): ReactNode {
  const { created: t } = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const { session, end } = useSession();
  const request = signedRequest({ ...pair, userApiUrl: session?.userApiUrl ?? '' });
  const { isCopied, copy } = useCopy(request, { onCopied: onKept });
  const start = useRef<HTMLDivElement>(null);
  // The form that was here was left at its end.
  useEffect(() => {
    start.current?.focus({ preventScroll: true });
    start.current?.closest('[role="dialog"]')?.scrollTo({ top: 0 });
  }, []);
  return (
    <Form ref={start} tabIndex={-1} component="div">
      <Notice kind="warn" title={t.once}>
        <p>{t.onceLead}</p>
      </Notice>
      <CopyField label="KeyID" value={pair.keyId} />
      <CopyField label="KeySecret" value={pair.keySecret} onCopied={onKept} />
      <Notice title={t.waiting}>
        <p>{t.waitingLead}</p>
        {replaced && (
          <p>
            {t.overlap(
              replaced.expiresAt === undefined
                ? undefined
                : formats.dateTime(replaced.expiresAt, timeZone),
            )}
          </p>
        )}
      </Notice>
      <More
        onToggle={({ currentTarget }) =>
          currentTarget.open && currentTarget.scrollIntoView({ block: 'nearest' })
        }
      >
        <summary>{t.request}</summary>
        <p>{t.requestLead}</p>
        <textarea
          readOnly
          onCopy={onKept}
          wrap="off"
          rows={12}
          value={request}
          aria-label={t.request}
        />
        <Button
          variant="default"
          size="xs"
          leftSection={isCopied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
          onClick={copy}
        >
          {isCopied ? t.copied : t.copy}
        </Button>
      </More>
      <Actions end>
        <Button variant="default" onClick={guarded(onClose)}>
          {t.later}
        </Button>
        <Button onClick={guarded(() => void end())}>{t.logOut}</Button>
      </Actions>
    </Form>
  );
}
