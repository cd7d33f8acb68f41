import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { CloudOffIcon } from '../../parts/icons.tsx';
import { toast } from '../../parts/toast.tsx';
import { reachability } from '../../wire/reachability.ts';
import { readSession } from '../../wire/session.ts';
import { texts } from '../texts/index.ts';
import styles from './connection-banner.module.css';

const TRY_AGAIN_MS = 4000;

/** Says that the server does not answer, tries again, and refreshes the page once it does. */
export function ConnectionBanner(): ReactNode {
  const t = texts.useTexts();
  const client = useQueryClient();
  const isReachable = useSyncExternalStore(reachability.subscribe, reachability.isReachable);
  const wasLost = useRef(false);
  useEffect(() => {
    if (isReachable) {
      if (wasLost.current) {
        toast.show(t.back);
        void client.invalidateQueries();
      }
      wasLost.current = false;
      return;
    }
    wasLost.current = true;
    const attempts = setInterval(() => void readSession().catch(() => undefined), TRY_AGAIN_MS);
    return () => clearInterval(attempts);
  }, [isReachable, client, t]);

  return (
    <div role="status">
      {!isReachable && (
        <p className={styles.banner}>
          <CloudOffIcon />
          {t.unreachable}
        </p>
      )}
    </div>
  );
}
