import { serverNow } from './server-clock.ts';
import { activeSupport } from './support.ts';

/** The latest answers of a few operations, kept on this device for times without a connection. */
interface Kept {
  readonly at: number;
  readonly request: unknown;
  readonly data: unknown;
}

const PREFIX = 'helioport-kept ';
const OWNER = 'helioport-kept-for';

/** Whose answers they are; those of anybody else are forgotten. null: nobody is signed in. */
export function keepFor(accountId: string | null): void {
  storage((kept) => {
    if (kept.getItem(OWNER) === accountId && accountId !== null) return;
    for (const key of Object.keys(kept))
      if (key.startsWith(PREFIX) || key === OWNER) kept.removeItem(key);
    if (accountId !== null) kept.setItem(OWNER, accountId);
  });
}

/** Keeps an answer in place of the former one of its operation. */
export function keep(operation: string, request: unknown, data: unknown): void {
  // What an owner lets an operator see stays on no device of the operator's.
  if (activeSupport()) return;
  storage((kept) =>
    kept.setItem(
      PREFIX + operation,
      JSON.stringify({ at: serverNow(), request, data } satisfies Kept),
    ),
  );
}

/** The answer that was kept to exactly this request. */
export function keptAnswer(
  operation: string,
  request: unknown,
): Pick<Kept, 'at' | 'data'> | undefined {
  return storage((kept) => {
    const found = JSON.parse(kept.getItem(PREFIX + operation) ?? 'null') as Kept | null;
    return found && JSON.stringify(found.request) === JSON.stringify(request) ? found : undefined;
  });
}

/** Browsers may be set to keep nothing, and may be full. */
function storage<T>(use: (kept: Storage) => T): T | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}
