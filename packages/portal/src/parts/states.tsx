import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useState, type ReactNode } from 'react';
import { PageHeading } from '../focus/page-heading.tsx';
import { CallFailure, isNoPermission, Unreachable } from '../wire/failure.ts';
import { SunMark, WarningIcon } from './icons.tsx';
import styles from './states.module.css';
import { texts } from './texts/index.ts';

interface LoadingProps {
  /** About how high each of the things will be that are being loaded, in rem, so that nothing jumps when they come. */
  readonly heights?: readonly number[];
}

const TITLE_AND_CARD = [3, 9] as const;

/** Outlines of what is being loaded. They show only after a moment, so that quick answers do not flicker; their space is taken at once. */
export function Loading({ heights = TITLE_AND_CARD }: LoadingProps): ReactNode {
  return (
    <div className={styles.loading} aria-hidden="true">
      {heights.map((height, i) => (
        // oxlint-disable-next-line no-array-index-key -- they have nothing but their place
        <div key={i} className={styles.outline} style={{ height: `${height}rem` }} />
      ))}
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly lead?: string;
  /** A mark of its own instead of the sun. */
  readonly mark?: ReactNode;
  /** What to do about it. */
  readonly children?: ReactNode;
}

/** There is nothing to show, said in words and with what can be done about it. */
export function Empty({ title, lead, mark, children }: EmptyProps): ReactNode {
  return (
    <div className={styles.state}>
      {mark ?? <SunMark size={48} />}
      <StateTitle>{title}</StateTitle>
      {lead && <p>{lead}</p>}
      {children}
    </div>
  );
}

/** The title of a state, which is the heading of the page if the state is all that is on it. */
function StateTitle({ children }: { readonly children: ReactNode }): ReactNode {
  const [isAlone, setAlone] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- what else is on the page is known once it is there
  useLayoutEffect(() => setAlone(document.querySelector('main h1') === null), []);
  return isAlone ? <PageHeading>{children}</PageHeading> : <h2>{children}</h2>;
}

interface FailedProps {
  readonly error: unknown;
  readonly again?: () => void;
  /** What happened, where more is known of it. */
  readonly title?: string;
  readonly lead?: string;
}

/** Something could not be loaded, said in words, with the server's own for those who report it. What one may not see is not asked for again. */
export function Failed({ error, again, title, lead }: FailedProps): ReactNode {
  const t = texts.useTexts();
  const queries = useQueryClient();
  const reason = isNoPermission(error)
    ? t.noPermission
    : error instanceof Unreachable
      ? t.unreachable
      : t.failed;
  return (
    <div className={styles.state} role="alert">
      <WarningIcon size={40} />
      <StateTitle>{title ?? reason}</StateTitle>
      {lead && <p>{lead}</p>}
      {error instanceof CallFailure && !isNoPermission(error) && (
        <p>
          <code>{error.code}</code> {error.message}
        </p>
      )}
      {again &&
        (isNoPermission(error) ? (
          // What leads here is out of date.
          <Button
            component={Link}
            to="/"
            variant="default"
            onClick={() => void queries.invalidateQueries()}
          >
            {t.toOverview}
          </Button>
        ) : (
          <Button variant="default" onClick={again}>
            {t.again}
          </Button>
        ))}
    </div>
  );
}
